// Package browser runs pages in headless Chromium, for tests and for pictures of them.
package browser
