package avro

// What the compiler writes beside the schema is its Parsing Canonical Form, of which single objects carry the fingerprint.

func (c *compiler) add(text string) { c.canonical = append(c.canonical, text...) }

func (c *compiler) comma(i int) {
	if i > 0 {
		c.add(",")
	}
}

func (c *compiler) quote(name string) {
	c.add(`"`)
	for _, b := range []byte(name) {
		if b == '"' || b == '\\' {
			c.add(`\`)
		}
		c.canonical = append(c.canonical, b)
	}
	c.add(`"`)
}

// rabinEmpty is the fingerprint of nothing, and the polynomial, of CRC-64-AVRO.
const rabinEmpty = 0xc15d213aa4d7a795

// rabin is CRC-64-AVRO.
func rabin(data []byte) uint64 {
	sum := uint64(rabinEmpty)
	for _, b := range data {
		sum ^= uint64(b)
		for range 8 {
			sum = sum>>1 ^ rabinEmpty&-(sum&1)
		}
	}
	return sum
}
