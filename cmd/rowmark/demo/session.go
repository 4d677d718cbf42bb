package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// session is one run of the demo and all that it started.
type session struct {
	opts Options
	mode *mode
	out  *printer

	cache    string // rowmark's folder in the user's cache
	dir      string // holds everything that is written
	unlock   func()
	services services // nil before start, and after it failed
	up       bool
	proc     *connector // the last one started
}

func (s *session) start(ctx context.Context) error {
	cache, err := os.UserCacheDir()
	s.cache = filepath.Join(cache, "rowmark")
	switch {
	case err != nil && s.opts.Real:
		return fmt.Errorf("finding the user's cache folder (set XDG_CACHE_HOME or HOME): %w", err)
	case err != nil: // nothing has to be kept for the next time
		s.cache = filepath.Join(os.TempDir(), fmt.Sprintf("rowmark-%d", os.Getuid()))
	}
	parent := s.cache
	if s.opts.parent != "" {
		parent = s.opts.parent
	}
	if s.dir, s.unlock, err = makeFolder(parent, s.opts.Keep && s.mode.detaches); err != nil {
		return err
	}
	s.services = s.mode.make()
	if err := s.services.start(ctx, s); err != nil {
		return err
	}
	s.up = true
	return nil
}

// close ends what was started; keep spares the services and their folder.
func (s *session) close(keep bool) error {
	var errs []error
	if s.proc != nil {
		errs = append(errs, s.proc.kill())
	}
	if s.services != nil {
		errs = append(errs, s.services.stop(keep))
	}
	if s.dir != "" && !keep {
		errs = append(errs, os.RemoveAll(s.dir))
		s.unlock()
	}
	return errors.Join(errs...)
}
