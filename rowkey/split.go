package rowkey

// Splits gives the split points of a table that has this key: between the buckets of a leading salt, or evenly
// over a leading hash, its modulo, or a hex field with presplit. Without either there are none.
func (k *Key) Splits() [][]byte {
	p := &k.parts[0]
	switch {
	case p.kind == saltPart:
		return p.bucketSplits(p.buckets)
	case p.spec.Presplit == 0:
		return nil
	case p.buckets > 0:
		return p.bucketSplits(p.spec.Presplit)
	}
	n := p.splitWidth()
	return evenly(p.spec.Presplit, p.splitSpace(), func(x int) []byte {
		b := make([]byte, n)
		for i := n - 1; i >= 0; i-- {
			if p.hexText() {
				b[i] = p.digits()[x&15]
				x >>= 4
			} else {
				b[i] = byte(x)
				x >>= 8
			}
		}
		return b
	})
}

func (p *part) bucketSplits(regions int) [][]byte {
	return evenly(regions, p.buckets, func(x int) []byte { return p.appendBucket(nil, x) })
}

func evenly(regions, space int, point func(int) []byte) [][]byte {
	out := make([][]byte, 0, regions-1)
	for i := 1; i < regions; i++ {
		out = append(out, point(i*space/regions))
	}
	return out
}

func (p *part) hexText() bool { return p.kind == fieldPart || p.spec.Hex > 0 }

func (p *part) digits() string {
	if p.spec.Upper {
		return upperDigits
	}
	return lowerDigits
}

// splitWidth is the length of a split point: up to 4 hex characters or 2 bytes.
func (p *part) splitWidth() int {
	switch {
	case p.kind == fieldPart:
		return 4
	case p.spec.Hex > 0:
		return min(4, p.spec.Hex)
	}
	return min(2, p.hashWidth())
}

// splitSpace is the number of values that a split point can have.
func (p *part) splitSpace() int {
	if p.buckets > 0 {
		return p.buckets
	}
	if p.hexText() {
		return 1 << (4 * p.splitWidth())
	}
	return 1 << (8 * p.splitWidth())
}
