package main

import (
	"fmt"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// connector is one configuration that is kept running: a process that ends is started again, as systemd would.
type connector struct {
	name   string
	config string // the file
	yard   *yard

	mu     sync.Mutex
	proc   *process
	extra  []string // arguments of the next start
	held   bool     // is not started again for now
	starts int
	ends   chan struct{} // poked when the present process is to be looked at again
}

// yard holds all connectors, and what their processes ended with.
type yard struct {
	binary string
	logs   string // the folder
	log    func(string, ...any)
	found  *findings

	mu      sync.Mutex
	all     map[string]*connector
	exits   map[string]map[int]int // by connector, by code
	procs   []*process             // all that were ever started
	stopped bool
	wg      sync.WaitGroup
}

// restartPause is the time between the end of a process and its next start.
const restartPause = 500 * time.Millisecond

// explained are the exit codes that faults of this run can lead to; docs/exit-codes.md has their meaning.
var explained = map[int]bool{
	0: true, -int(syscall.SIGKILL): true,
	3:  true, // services away at a start
	5:  true, // a rival
	6:  true, // a topic that is being made anew
	7:  true, // a disabled table
	9:  true, // the hole, which is checked by itself
	12: true, // a stop while HBase was away
}

// start begins to keep a connector running.
func (y *yard) start(name, config string) (*connector, error) {
	c := &connector{name: name, config: config, yard: y, ends: make(chan struct{}, 1)}
	y.mu.Lock()
	y.all[name] = c
	y.mu.Unlock()
	if err := c.launch(); err != nil {
		return nil, err
	}
	y.wg.Go(c.keep)
	return c, nil
}

func (y *yard) isStopped() bool {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.stopped
}

// spawn starts a process of this configuration, supervised or not.
func (c *connector) spawn(extra ...string) (*process, error) {
	c.starts++
	name := fmt.Sprintf("%s-%d", c.name, c.starts)
	args := append([]string{"run", "-c", c.config, "--log-format", "json"}, extra...)
	p, err := launch(name, filepath.Join(c.yard.logs, name+".log"), c.yard.binary, args...)
	if err != nil {
		return nil, err
	}
	c.yard.mu.Lock()
	defer c.yard.mu.Unlock()
	c.yard.procs = append(c.yard.procs, p)
	return p, nil
}

// launch starts the supervised process.
func (c *connector) launch() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.yard.isStopped() {
		return fmt.Errorf("starting %s: the run is over", c.name)
	}
	p, err := c.spawn(c.extra...)
	if err == nil {
		c.proc = p
	}
	return err
}

// keep watches the present process.
func (c *connector) keep() {
	for !c.yard.isStopped() {
		p := c.process()
		select {
		case <-p.done:
		case <-c.ends:
			continue
		}
		if p != c.process() {
			continue
		}
		c.yard.ended(c.name, p)
		time.Sleep(restartPause)
		for c.isHeld() && !c.yard.isStopped() {
			time.Sleep(50 * time.Millisecond)
		}
		if p != c.process() || c.yard.isStopped() {
			continue // another one took its place meanwhile
		}
		if err := c.launch(); err != nil {
			c.yard.log("%v", err)
			return
		}
	}
}

// ended writes down how a process ended.
func (y *yard) ended(name string, p *process) {
	code := p.exit()
	y.mu.Lock()
	if y.exits[name] == nil {
		y.exits[name] = map[int]int{}
	}
	y.exits[name][code]++
	y.mu.Unlock()
	y.log("%s ended with %d", p.name, code)
	if !explained[code] {
		y.found.add("supervisor", found(exited, "%s ended with %d: %s", p.name, code, p.tail(1)))
	}
}

func (c *connector) process() *process {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.proc
}

func (c *connector) isHeld() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held
}

// hold keeps the connector from being started again until it is let go; extra arguments hold for its next starts.
func (c *connector) hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = true
}

func (c *connector) release(extra ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held, c.extra = false, extra
}

// rival starts a second process of the same configuration, which nobody supervises.
func (c *connector) rival() (*process, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.spawn()
}

// adopt makes another process the supervised one; the one before ends by itself or by its owner's hand.
func (c *connector) adopt(p *process) {
	c.mu.Lock()
	c.proc = p
	c.mu.Unlock()
	select {
	case c.ends <- struct{}{}:
	default:
	}
}

// stop ends all connectors gently, or by force where that does not help, and says so.
func (y *yard) stop(within time.Duration) {
	y.mu.Lock()
	y.stopped = true
	all := make([]*connector, 0, len(y.all))
	for _, c := range y.all {
		all = append(all, c)
	}
	y.mu.Unlock()
	var wg sync.WaitGroup
	for _, c := range all {
		wg.Go(func() {
			p := c.process()
			_ = p.signal(syscall.SIGCONT) // of a paused one nothing would come
			_ = p.signal(syscall.SIGTERM)
			if err := p.wait(within); err != nil {
				y.found.add("supervisor", found(stuck, "%v", err))
				_ = p.kill() // it is told of above
			}
		})
	}
	wg.Wait()
	y.wg.Wait()
}

// codes gives a copy of the exit codes seen.
func (y *yard) codes() map[string]map[int]int {
	y.mu.Lock()
	defer y.mu.Unlock()
	out := map[string]map[int]int{}
	for name, m := range y.exits {
		out[name] = map[int]int{}
		for code, n := range m {
			out[name][code] = n
		}
	}
	return out
}

// killAll ends every process that is left, supervised or not.
func (y *yard) killAll() {
	y.mu.Lock()
	y.stopped = true
	procs := y.procs
	y.mu.Unlock()
	for _, p := range procs {
		if !p.ended() {
			_ = p.kill() // it may end by itself meanwhile
		}
	}
	y.wg.Wait()
}
