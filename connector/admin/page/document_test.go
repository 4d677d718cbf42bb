package page

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func TestOnlyThePageAndItsStreamAreServed(t *testing.T) {
	handler := routes(newFeed(nil))
	for _, tt := range []struct {
		method, path string
		want         int
	}{
		{"GET", "/", http.StatusOK},
		{"HEAD", "/", http.StatusOK},
		{"POST", "/", http.StatusMethodNotAllowed},
		{"POST", "/events", http.StatusMethodNotAllowed},
		{"GET", "/web/page.html", http.StatusNotFound},
		{"GET", "/index.html", http.StatusNotFound},
		{"GET", "/events/", http.StatusNotFound},
	} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(tt.method, tt.path, nil))
		if w.Code != tt.want {
			t.Errorf("%s %s got %d, want %d", tt.method, tt.path, w.Code, tt.want)
		}
	}
}

func TestPageIsOneFileUnderAStrictPolicy(t *testing.T) {
	w := httptest.NewRecorder()
	routes(newFeed(nil)).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	csp, body := w.Header().Get("Content-Security-Policy"), w.Body.String()
	for _, want := range []string{"default-src 'none'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"} {
		if !strings.Contains(csp, want) {
			t.Errorf("the policy lacks %s: %s", want, csp)
		}
	}
	if strings.Contains(csp, "unsafe") || strings.Contains(csp, "*") {
		t.Errorf("the policy is loose: %s", csp)
	}
	inline := regexp.MustCompile(`(?s)<(style|script)[^>]*>(.+?)</(?:style|script)>`).FindAllStringSubmatch(body, -1)
	if len(inline) != 2 {
		t.Fatalf("%d inline parts, want a style and a script", len(inline))
	}
	for _, part := range inline {
		if !strings.Contains(csp, part[1]+"-src "+hashOf(part[2])) {
			t.Errorf("the policy does not name the %s that is served", part[1])
		}
	}
}

// TestPageMakesNoHTMLOfText looks for whatever could run a name, or ask another host.
func TestPageMakesNoHTMLOfText(t *testing.T) {
	for _, bad := range []string{
		`innerHTML`, `outerHTML`, `insertAdjacentHTML`, `document\.write`, `DOMParser`, `createContextualFragment`, `\beval\b`, `\bFunction\(`,
		`(?i)\son[a-z]+\s*=\s*["']`, `(?i)javascript:`, `\sstyle=`, `(?:src|href)=["']?(?:https?:)?//`, `url\(`, `@import`, `\r`,
		`localStorage`, `sessionStorage`, `document\.cookie`,
	} {
		if found := regexp.MustCompile(bad).FindString(document); found != "" {
			t.Errorf("the page has %q", found)
		}
	}
}
