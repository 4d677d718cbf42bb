package report

import "testing"

func TestPart(t *testing.T) {
	page := "# x\n<!-- bench: a -->\nold\nolder\n<!-- end of bench: a -->\nkept <!-- bench: b --><!-- end of bench: b -->\n"
	once, err := Part(page, "a", "new\n\n")
	want := "# x\n<!-- bench: a -->\nnew\n<!-- end of bench: a -->\nkept <!-- bench: b --><!-- end of bench: b -->\n"
	if err != nil || once != want {
		t.Fatalf("%q, %v, want %q", once, err, want)
	}
	if twice, err := Part(once, "a", "new"); err != nil || twice != once {
		t.Errorf("the same again gives %q, %v", twice, err)
	}
	for name, page := range map[string]string{
		"no markers":   "# x\n",
		"no end":       "<!-- bench: a -->\n",
		"two begins":   "<!-- bench: a --><!-- bench: a --><!-- end of bench: a -->",
		"wrong order":  "<!-- end of bench: a --><!-- bench: a -->",
		"another name": "<!-- bench: ab --><!-- end of bench: ab -->",
	} {
		if got, err := Part(page, "a", "new"); err == nil {
			t.Errorf("%s: rewritten to %q", name, got)
		}
	}
}
