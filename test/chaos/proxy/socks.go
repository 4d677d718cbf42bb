package proxy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
)

// Replies of SOCKS5 (RFC 1928).
const (
	replyOK            = 0
	replyRefused       = 5
	replyNoCommand     = 7
	replyNoAddressType = 8
)

var errSocks = errors.New("the client does not speak SOCKS5")

// handshake takes a client as far as its CONNECT and returns the target.
func (p *Proxy) handshake(c net.Conn) (string, error) {
	var head [2]byte
	if _, err := io.ReadFull(c, head[:]); err != nil {
		return "", err
	}
	methods := make([]byte, head[1])
	if _, err := io.ReadFull(c, methods); err != nil {
		return "", err
	}
	if head[0] != 5 {
		return "", errSocks
	}
	want := byte(0)
	if p.opts.User != "" {
		want = 2
	}
	if !contains(methods, want) {
		_, err := c.Write([]byte{5, 0xff})
		return "", errors.Join(errors.New("the client offers no login that is wanted"), err)
	}
	if _, err := c.Write([]byte{5, want}); err != nil {
		return "", err
	}
	if want == 2 {
		if err := p.login(c); err != nil {
			return "", err
		}
	}
	return readConnect(c)
}

func contains(s []byte, b byte) bool {
	for _, x := range s {
		if x == b {
			return true
		}
	}
	return false
}

// login is the exchange of user name and password (RFC 1929).
func (p *Proxy) login(c net.Conn) error {
	var version [1]byte
	if _, err := io.ReadFull(c, version[:]); err != nil {
		return err
	}
	user, err := readShort(c)
	if err != nil {
		return err
	}
	password, err := readShort(c)
	if err != nil {
		return err
	}
	if version[0] != 1 || user != p.opts.User || password != p.opts.Password {
		_, err := c.Write([]byte{1, 1})
		return errors.Join(errors.New("the client's login is wrong"), err)
	}
	_, err = c.Write([]byte{1, 0})
	return err
}

// readShort reads a string with its length in one byte in front.
func readShort(c io.Reader) (string, error) {
	var n [1]byte
	if _, err := io.ReadFull(c, n[:]); err != nil {
		return "", err
	}
	b := make([]byte, n[0])
	_, err := io.ReadFull(c, b)
	return string(b), err
}

func readConnect(c net.Conn) (string, error) {
	var head [4]byte
	if _, err := io.ReadFull(c, head[:]); err != nil {
		return "", err
	}
	if head[0] != 5 {
		return "", errSocks
	}
	if head[1] != 1 {
		return "", errors.Join(fmt.Errorf("command %d is not CONNECT", head[1]), reply(c, replyNoCommand))
	}
	host := ""
	switch head[3] {
	case 1, 4:
		ip := make([]byte, map[byte]int{1: 4, 4: 16}[head[3]])
		if _, err := io.ReadFull(c, ip); err != nil {
			return "", err
		}
		host = net.IP(ip).String()
	case 3:
		name, err := readShort(c)
		if err != nil {
			return "", err
		}
		host = name
	default:
		return "", errors.Join(fmt.Errorf("unknown kind of address %d", head[3]), reply(c, replyNoAddressType))
	}
	var port [2]byte
	if _, err := io.ReadFull(c, port[:]); err != nil {
		return "", err
	}
	return net.JoinHostPort(host, strconv.Itoa(int(binary.BigEndian.Uint16(port[:])))), nil
}

// reply answers the CONNECT; nobody needs the address that we connect from.
func reply(c net.Conn, code byte) error {
	_, err := c.Write([]byte{5, code, 0, 1, 0, 0, 0, 0, 0, 0})
	return err
}
