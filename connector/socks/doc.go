// Package socks dials through a SOCKS5 proxy, such as a bastion in front of the brokers or region servers.
//
// Host names go to the proxy as they are: it resolves them, since the names that Kafka and HBase advertise often mean
// something only behind it.
package socks
