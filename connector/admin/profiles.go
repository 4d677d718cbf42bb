package admin

import (
	"net/http"
	"net/http/pprof"
	"time"
)

// profileTimeout bounds the making of one profile.
const profileTimeout = 10 * time.Minute

// HandleProfiles registers Go's profiles under /debug/pprof/.
func (s *Server) HandleProfiles() {
	for path, h := range map[string]http.HandlerFunc{
		"": pprof.Index, "cmdline": pprof.Cmdline, "profile": pprof.Profile, "symbol": pprof.Symbol, "trace": pprof.Trace,
	} {
		s.Handle("GET /debug/pprof/"+path, long(h))
	}
}

func long(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(profileTimeout))
		h.ServeHTTP(w, r)
	})
}
