package main

import (
	"context"
	"fmt"
	"time"

	"rowmark/test/browser"

	"github.com/chromedp/chromedp"
)

// The picture's size, for a page of documentation.
const width, height = 1280, 800

// shoot takes the picture of a page when it has shown three snapshots, so that the figures have found their place.
func shoot(ctx context.Context, url, scheme string) ([]byte, error) {
	window, stop, err := browser.Start(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	window, end := context.WithTimeout(window, time.Minute)
	defer end()
	if err := chromedp.Do(window, chromedp.EmulateViewport(width, height, chromedp.EmulateScale(1.5)), browser.Scheme(scheme), chromedp.Navigate(url)); err != nil {
		return nil, fmt.Errorf("opening the page: %w", err)
	}
	seen := map[string]bool{}
	for len(seen) < 4 {
		at, err := chromedp.Run(window, chromedp.Evaluate[string](`document.getElementById("link").title`))
		if err != nil {
			return nil, fmt.Errorf("waiting for the page's figures: %w", err)
		}
		seen[at] = true
		time.Sleep(100 * time.Millisecond)
	}
	picture, err := chromedp.Run(window, chromedp.CaptureScreenshot())
	if err != nil {
		return nil, fmt.Errorf("taking the picture: %w", err)
	}
	return smaller(picture)
}
