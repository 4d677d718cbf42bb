package admin

import (
	"crypto/sha256"
	"crypto/subtle"
	"mime"
	"net"
	"net/http"
	"strings"
	"time"
)

// bounded limits the time and the size of every request.
func (s *Server) bounded(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout))
		r.Body = http.MaxBytesReader(w, r.Body, bodyBytes)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		h.ServeHTTP(w, r)
	})
}

// local refuses names that a page of another site may have pointed at this machine, to read what is told here (DNS
// rebinding). With a token that page lacks it.
func (s *Server) local(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.conf.Token == "" && !ownHost(r.Host) {
			http.Error(w, "this server answers to localhost and to addresses of this machine alone", http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(w, r)
	})
}

func (s *Server) guarded(h http.Handler) http.Handler {
	return s.local(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !s.bears(r):
			w.Header().Set("WWW-Authenticate", `Bearer realm="rowmark"`)
			http.Error(w, "a token is needed: Authorization: Bearer", http.StatusUnauthorized)
		case r.Method != http.MethodGet && r.Method != http.MethodHead && !meant(r):
			http.Error(w, "a request that changes something needs Content-Type: application/json, or X-Rowmark with any value", http.StatusForbidden)
		default:
			h.ServeHTTP(w, r)
		}
	}))
}

// bears compares the token in a time that tells nothing of it.
func (s *Server) bears(r *http.Request) bool {
	if s.conf.Token == "" {
		return true
	}
	scheme, got, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	have, want := sha256.Sum256([]byte(strings.TrimSpace(got))), sha256.Sum256([]byte(s.conf.Token))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(have[:], want[:]) == 1
}

// meant says whether a request bears a header that a browser sends for another site only after it asked, which is never
// granted here.
func meant(r *http.Request) bool {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return kind == "application/json" || r.Header.Get("X-Rowmark") != ""
}

// ownHost says whether a Host header names this machine as only itself is named.
func ownHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
