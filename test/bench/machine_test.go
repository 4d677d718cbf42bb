package main

import "testing"

func TestMachine(t *testing.T) {
	for got, want := range map[string]string{
		memoryOf("MemFree: 1 kB\nMemTotal:       24684396 kB\n"):     "24 GiB",
		memoryOf("MemTotal:       8000000 kB\n"):                     "8 GiB",
		systemOf("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n"): "Debian GNU/Linux 12",
		modelOf("processor : 0\nmodel name\t: Some CPU @ 2 GHz\n"):   " (Some CPU @ 2 GHz)",
		javaOf("openjdk version \"17.0.15\" 2025-04-15\nmore"):       "17.0.15",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
