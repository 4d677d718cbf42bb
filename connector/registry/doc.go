// Package registry is a client of schema registries that speak Confluent's REST API, as Apicurio's does under
// /apis/ccompat/v7. It reads schemas by their ids, with what they refer to, and keeps them: what an id stands for never
// changes. It knows nothing of formats, tables or records.
package registry
