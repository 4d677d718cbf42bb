package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"net/http"
	"strings"
)

//go:embed web
var web embed.FS

// scripts are the parts of the page's script, in their order.
var scripts = []string{"format.js", "history.js", "spark.js", "dom.js", "totals.js", "sources.js", "lists.js", "stream.js", "main.js"}

// document is the page as it is sent, and policy what a browser lets it do: to run these very scripts and styles, to speak to
// where it came from, and to make no HTML of text.
var document, policy = assemble()

// assemble puts style and script into the page, so that it is one file without requests of its own.
func assemble() (html, csp string) {
	style := part("page.css")
	var script strings.Builder
	for _, name := range scripts {
		script.WriteString(part(name))
	}
	html = strings.NewReplacer(
		"<style></style>", "<style>"+style+"</style>",
		"<script type=\"module\"></script>", "<script type=\"module\">"+script.String()+"</script>",
	).Replace(part("page.html"))
	csp = strings.Join([]string{
		"default-src 'none'", "script-src " + hashOf(script.String()), "style-src " + hashOf(style), "img-src data:", "connect-src 'self'",
		"base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
	}, "; ")
	return html, csp
}

func part(name string) string {
	text, err := web.ReadFile("web/" + name)
	if err != nil {
		panic(err) // embedded when this was built
	}
	return string(text)
}

// hashOf names an inline script or style to a browser.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func servePage(w http.ResponseWriter, _ *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-cache")
	_, _ = w.Write([]byte(document)) // an error is the browser's, which is gone then
}
