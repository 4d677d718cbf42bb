package page

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// luminance is the relative luminance of WCAG 2.2 of a colour such as #16232a.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	v, err := strconv.ParseUint(hex, 16, 32)
	if err != nil || len(hex) != 6 {
		t.Fatalf("no colour: %s", hex)
	}
	linear := func(shift uint) float64 {
		c := float64(v>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0)
}

func contrast(a, b float64) float64 {
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

func TestContrastIsThatOfWCAG(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want float64
	}{{"000000", "ffffff", 21}, {"777777", "ffffff", 4.48}, {"ff0000", "ffffff", 4.0}} {
		if got := contrast(luminance(t, tt.a), luminance(t, tt.b)); math.Abs(got-tt.want) > 0.005 {
			t.Errorf("#%s on #%s is %.3f, want %.2f", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestTextIsLegibleInBothSchemes wants each colour of text at 4.5 to 1 on each ground that it stands on.
func TestTextIsLegibleInBothSchemes(t *testing.T) {
	light, dark, ok := strings.Cut(part("page.css"), "prefers-color-scheme: dark")
	if !ok {
		t.Fatal("no dark scheme")
	}
	grounds := map[string][]string{
		"ink": {"ground", "panel", "row", "warn-ground", "bad-ground"}, "dim": {"ground", "panel", "row", "warn-ground", "bad-ground"},
		"accent": {"ground", "panel"}, "good": {"panel", "row"}, "warn": {"panel", "warn-ground"}, "bad": {"panel", "bad-ground"},
	}
	for scheme, css := range map[string]string{"light": light, "dark": dark} {
		colours := map[string]float64{}
		for _, c := range regexp.MustCompile(`--([a-z-]+): #([0-9a-f]{6});`).FindAllStringSubmatch(css, -1) {
			colours[c[1]] = luminance(t, c[2])
		}
		for text, on := range grounds {
			for _, ground := range on {
				a, oka := colours[text]
				b, okb := colours[ground]
				if c := contrast(a, b); !oka || !okb || c < 4.5 {
					t.Errorf("%s: %s on %s is %.2f, want at least 4.5", scheme, text, ground, c)
				}
			}
		}
	}
}
