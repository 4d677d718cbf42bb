package mapping

import (
	"fmt"
	"testing"
)

// A time that a zone's clocks skip is as much later as they skip, one that they show twice is the earlier: east and west of
// Greenwich, where a change is of half an hour or a day, and beside it. The milliseconds are those of Java's
// LocalDateTime.atZone (Java 17).
func TestDatesWhereClocksChange(t *testing.T) {
	for _, c := range []struct {
		zone, local string
		want        int64
	}{
		{"Europe/Berlin", "2026-03-29 01:59:59", 1774745999000},
		{"Europe/Berlin", "2026-03-29 02:30:00", 1774747800000},
		{"Europe/Berlin", "2026-03-29 03:00:00", 1774746000000},
		{"Europe/Berlin", "2026-10-25 02:00:00", 1792886400000},
		{"Europe/Berlin", "2026-10-25 02:30:00", 1792888200000},
		{"Europe/Berlin", "2026-10-25 03:00:00", 1792893600000},
		{"Europe/London", "2026-03-29 01:30:00", 1774747800000},
		{"Europe/London", "2026-10-25 01:30:00", 1792888200000},
		{"America/New_York", "2026-03-08 02:30:00", 1772955000000},
		{"America/New_York", "2026-11-01 01:30:00", 1793511000000},
		{"America/Sao_Paulo", "2018-11-04 00:00:00", 1541300400000},
		{"America/Sao_Paulo", "2018-02-17 23:30:00", 1518917400000},
		{"America/St_Johns", "2026-03-08 02:30:00", 1772949600000},
		{"America/St_Johns", "2026-11-01 01:30:00", 1793505600000},
		{"Asia/Tehran", "2022-03-22 00:30:00", 1647896400000},
		{"Australia/Lord_Howe", "2026-10-04 02:15:00", 1791042300000},
		{"Australia/Lord_Howe", "2026-04-05 01:45:00", 1775313900000},
		{"Pacific/Apia", "2011-12-30 12:00:00", 1325282400000},
		{"UTC", "2026-03-29 02:30:00", 1774751400000},
	} {
		date := Date{From: "2006-01-02 15:04:05", To: "ms", Zone: c.zone}
		expectMap(t, edit(columns(Column{Field: "value.a", To: "d:a", Date: &date})), `{"a":"`+c.local+`"}`, fmt.Sprint("ns:t k@36000000 d:a=", c.want))
	}
}

// An offset in the text counts, and not the zone, also where it is that of UTC.
func TestDatesWithOffsetsOfTheirOwn(t *testing.T) {
	for _, offset := range []string{"+00:00", "Z", "-00:00"} {
		date := Date{From: "2006-01-02T15:04:05Z07:00", To: "ms", Zone: "Asia/Tokyo"}
		expectMap(t, edit(columns(Column{Field: "value.a", To: "d:a", Date: &date})), `{"a":"2026-03-29T02:30:00`+offset+`"}`, "ns:t k@36000000 d:a=1774751400000")
	}
}
