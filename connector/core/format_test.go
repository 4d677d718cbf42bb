package core

import (
	"encoding/hex"
	"testing"

	"pgregory.net/rapid"
)

// The stored formats, byte by byte: what is in users' tables must be readable for ever.
func TestMarkBytes(t *testing.T) {
	got := hex.EncodeToString(Mark{Next: 0x0102030405060708, Floor: 1764400000000, LeaderEpoch: 0x11121314}.Encode())
	if want := "01" + "0102030405060708" + "0000019ace6f6c00" + "11121314"; got != want {
		t.Fatalf("mark is %s, want %s", got, want)
	}
}

// Of a bar the reason follows.
func TestBarredMarkBytes(t *testing.T) {
	got := hex.EncodeToString(Mark{Next: 7, Floor: 5, LeaderEpoch: -1, Barred: "no"}.Encode())
	if want := "02" + "0000000000000007" + "0000000000000005" + "ffffffff" + "6e6f"; got != want {
		t.Fatalf("mark is %s, want %s", got, want)
	}
}

func TestPositionBytes(t *testing.T) {
	p := Position{Offset: 5, Epoch: 3, Ceiling: 100005, Beat: 9}
	for i := range p.Owner {
		p.Owner[i] = byte(i)
	}
	got := hex.EncodeToString(p.Encode())
	want := "01" + "0000000000000005" + "0000000000000003" + "000102030405060708090a0b0c0d0e0f" + "00000000000186a5" + "0000000000000009"
	if got != want {
		t.Fatalf("position is %s, want %s", got, want)
	}
}

func TestFormatsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Mark{Next: rapid.Int64Min(0).Draw(t, "next"), Floor: rapid.Int64().Draw(t, "floor"), LeaderEpoch: rapid.Int32().Draw(t, "leader epoch"), Barred: rapid.StringN(0, 100, 400).Draw(t, "barred")}
		if got, err := DecodeMark(m.Encode()); err != nil || got != m {
			t.Fatalf("mark %v came back as %v, %v", m, got, err)
		}
		p := Position{
			Offset: rapid.Int64Min(0).Draw(t, "offset"), Epoch: rapid.Int64Min(0).Draw(t, "epoch"),
			Ceiling: rapid.Int64Min(0).Draw(t, "ceiling"), Beat: rapid.Uint64().Draw(t, "beat"),
		}
		if got, err := DecodePosition(p.Encode()); err != nil || got != p {
			t.Fatalf("position %v came back as %v, %v", p, got, err)
		}
	})
}

func TestForeignBytesAreRefused(t *testing.T) {
	mark := Mark{Next: 1}.Encode()
	mark[0] = 3
	bare := Mark{Next: 1}.Encode()
	bare[0] = BarredVersion
	position := Position{}.Encode()
	position[0] = 0
	for name, b := range map[string][]byte{"empty": {}, "short": mark[:16], "newer": mark, "reason": append(Mark{Next: 1}.Encode(), 1), "no reason": bare} {
		if _, err := DecodeMark(b); err == nil {
			t.Errorf("%s mark was read", name)
		}
	}
	for name, b := range map[string][]byte{"empty": {}, "long": append(Position{}.Encode(), 0), "version 0": position} {
		if _, err := DecodePosition(b); err == nil {
			t.Errorf("%s position was read", name)
		}
	}
}

func TestSourceName(t *testing.T) {
	if got := SourceName("orders", "shop.orders", 7, 0); got != "orders/shop.orders/7" {
		t.Error(got)
	}
	if got := SourceName("orders", "shop.orders", 7, 2); got != "orders/shop.orders/7#2" {
		t.Error(got)
	}
}
