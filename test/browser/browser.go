package browser

import (
	"context"
	"errors"
	"os/exec"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// ErrMissing says that this machine has no Chromium.
var ErrMissing = errors.New("no Chromium is installed (in Debian: the package chromium)")

// startLimit is how long Chromium may take to start, on a machine that does much else.
const startLimit = 30 * time.Second

// Start starts a Chromium of its own, with no settings of a person. Windows are children of the context that it returns.
func Start(ctx context.Context) (browser context.Context, stop func(), err error) {
	path, err := find()
	if err != nil {
		return nil, nil, err
	}
	ctx, end := chromedp.NewExecAllocator(ctx, chromedp.ExecPath(path), chromedp.Headless, chromedp.DisableGPU,
		chromedp.NoSandbox, // which root can't have, and only pages of ours are shown
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(startLimit))
	ctx, endBrowser := chromedp.NewContext(ctx)
	stop = func() { endBrowser(); end() }
	if err := chromedp.Do(ctx); err != nil {
		stop()
		return nil, nil, err
	}
	return ctx, stop, nil
}

func find() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrMissing
}

// Scheme has the window's reader prefer a colour scheme, light or dark.
func Scheme(name string) chromedp.Action[chromedp.Void] {
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}}
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, media)
		return err
	})
}
