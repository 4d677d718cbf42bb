package mapping

import "time"

// noOffset is where texts without an offset of their own are read. None that has one can name it: it is beyond a day.
var noOffset = time.FixedZone("", aside)

const aside = 25 * 60 * 60 // seconds

// localTime gives the time that a zone's clocks show as t does. Where they show it twice it is the earlier, and where they skip
// it, that by the offset of before, which is as much later as they skip: as Java has it, and not as time.Date, which tells
// neither.
func localTime(t time.Time, zone *time.Location) time.Time {
	const day = 24 * time.Hour
	_, before := t.Add(-day).In(zone).Zone()
	_, after := t.Add(day).In(zone).Zone()
	for _, offset := range []int{max(before, after), min(before, after)} {
		at := t.Add(-time.Duration(offset) * time.Second).In(zone)
		if _, is := at.Zone(); is == offset {
			return at
		}
	}
	return t.Add(-time.Duration(before) * time.Second).In(zone)
}
