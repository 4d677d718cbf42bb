package core

// drain stops reading; what was read is written, then the checkpoint is released.
func (c *Core) drain(s *source) {
	s.again = false
	if s.drain {
		return
	}
	s.drain = true
	switch s.state {
	case stateReading, stateWaiting:
		if !s.reading {
			c.end(s, Report{Kind: ReportReleased, Offset: -1})
		}
	case stateRetrying:
		c.end(s, Report{Kind: ReportReleased, Offset: -1})
	case stateRunning, stateSettling:
		s.held = nil
		c.cancelFetch(s)
	}
	c.touch(s)
}

// abandon stops a source at once: what is not resolved stays for the next life. The checkpoint is released if
// it is ours.
func (c *Core) abandon(s *source, err error, retry bool) {
	if s.state == stateReleasing || s.state == stateStopped || s.state == stateRetrying {
		return
	}
	s.poison = &poison{offset: s.ck.Offset, err: err, retry: retry}
	if s.name != "" {
		s.poison.offset = s.win.low()
	}
	c.cancelFetch(s)
	c.dropRows(s)
	if !s.have {
		c.end(s, s.lastWord())
		return
	}
	c.startRelease(s)
}

func (c *Core) dropRows(s *source) {
	for r := range s.rows.all {
		r.dropped = true
	}
	s.rows, s.memory, s.parked, s.held = rowIndex{}, memory{}, nil, nil
}

func (c *Core) startRelease(s *source) {
	if s.state == stateSettling {
		s.settle = stateReleasing
	} else {
		s.state = stateReleasing
	}
	s.swapTry = 0
	s.waitUntil = c.now.Mono + c.cfg.Lease
	c.touch(s)
}

// release writes the checkpoint without an owner, so that the next one need not wait.
func (c *Core) release(s *source) {
	if !s.have {
		c.end(s, s.lastWord())
		return
	}
	put := s.nextPut(c)
	put.Owner = Owner{}
	if s.name != "" {
		// Nothing at or past what was sent has ever been sent.
		put.Ceiling = max(put.Offset, min(put.Ceiling, max(s.sent, s.maySend)))
	}
	c.swap(s, put)
}

// lastWord is what is reported when the source has stopped.
func (s *source) lastWord() Report {
	switch {
	case s.poison != nil && s.poison.retry && s.drain && !s.done:
		// It would have been tried again; asked to stop, it stops where its checkpoint stands.
		return Report{Kind: ReportReleased, Offset: s.ck.Offset}
	case s.poison != nil:
		return Report{Kind: ReportFailed, Offset: s.poison.offset, Err: s.poison.err, Retry: s.poison.retry && !s.drain}
	case s.done:
		return Report{Kind: ReportFinished, Offset: s.ck.Offset}
	}
	return Report{Kind: ReportReleased, Offset: s.ck.Offset}
}

// unreleased is what is reported when the checkpoint could not be released: the records below its offset are written,
// but it still names us, and stands where it stood.
func (s *source) unreleased(err error) Report {
	r := s.lastWord()
	if r.Kind == ReportFailed {
		return r
	}
	return Report{Kind: ReportFailed, Offset: s.ck.Offset, Err: because(CauseRelease, "releasing the checkpoint, which stands at offset %d: %w; nothing is lost: the next start takes it when the lease is over, and passes by what is written", s.ck.Offset, err)}
}

// onceTries is how often --once tries a partition again: about half a minute.
const onceTries = 5

// end closes this life of the source.
func (c *Core) end(s *source, r Report) {
	if s.state == stateStopped {
		return
	}
	c.dropRows(s)
	s.put = nil
	s.err = r.Err
	s.state = stateStopped
	c.forget(s)
	c.cancelFetch(s)
	if c.cfg.Once && s.fails >= onceTries {
		r.Retry = false
	}
	if r.Kind == ReportFailed && r.Retry {
		s.fails++
		s.state = stateRetrying
		s.retryAt = c.now.Mono + backoff(s.fails, failFirst, failLast)
		c.touch(s)
	}
	if s.state == stateStopped {
		c.active--
	}
	c.report(s.tp, r)
	if s.again && !c.stop {
		delete(c.sources, s.tp)
		c.assigned(s.tp)
	}
}
