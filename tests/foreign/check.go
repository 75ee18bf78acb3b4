// Checks what Umpire writes with the packages of the Go checksum database: signed notes (golang.org/x/mod/sumdb/note),
// and proofs of trees as RFC 6962 has them (golang.org/x/mod/sumdb/tlog). It prints "ok", or what is wrong, for each case.
package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type Case struct {
	Note  string   // a signed note
	Keys  []string // who must have signed it
	Old   int64    // of a consistency proof
	Size  int64
	Roots []string // the old root and the new one, in hex
	Proof []string // in hex
	Leaf  string   // of an inclusion proof, in hex
	At    int64    // its index, from 0
}

// cosigner verifies a cosignature/v1 (C2SP tlog-cosignature), which the package itself does not know.
type cosigner struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (c cosigner) Name() string    { return c.name }
func (c cosigner) KeyHash() uint32 { return c.hash }
func (c cosigner) Verify(msg, sig []byte) bool {
	if len(sig) != 8+ed25519.SignatureSize {
		return false
	}
	text := fmt.Sprintf("cosignature/v1\ntime %d\n%s", binary.BigEndian.Uint64(sig), msg)
	return ed25519.Verify(c.key, []byte(text), sig[8:])
}

func verifier(key string) (note.Verifier, error) {
	parts := strings.SplitN(key, "+", 3)
	if len(parts) != 3 {
		return nil, fmt.Errorf("no key")
	}
	raw, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(raw) != 33 || raw[0] != 4 {
		return note.NewVerifier(key)
	}
	hash := sha256.Sum256(append([]byte(parts[0]+"\n"), raw...))
	id := binary.BigEndian.Uint32(hash[:])
	if said, err := strconv.ParseUint(parts[1], 16, 32); err != nil || uint32(said) != id {
		return nil, fmt.Errorf("the id is not that of the key")
	}
	return cosigner{parts[0], id, raw[1:]}, nil
}

func hash(hex string) (found tlog.Hash) {
	var raw []byte
	fmt.Sscanf(hex, "%x", &raw)
	copy(found[:], raw)
	return
}

func (c Case) check() error {
	if c.Note != "" {
		var all []note.Verifier
		for _, key := range c.Keys {
			one, err := verifier(key)
			if err != nil {
				return err
			}
			all = append(all, one)
		}
		opened, err := note.Open([]byte(c.Note), note.VerifierList(all...))
		if err != nil {
			return err
		}
		if len(opened.Sigs) != len(c.Keys) {
			return fmt.Errorf("%d of %d signed", len(opened.Sigs), len(c.Keys))
		}
		return nil
	}
	var path []tlog.Hash
	for _, one := range c.Proof {
		path = append(path, hash(one))
	}
	if c.Leaf != "" {
		return tlog.CheckRecord(path, c.Size, hash(c.Roots[0]), c.At, hash(c.Leaf))
	}
	return tlog.CheckTree(path, c.Size, hash(c.Roots[1]), c.Old, hash(c.Roots[0]))
}

func main() {
	var cases []Case
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	for _, one := range cases {
		if err := one.check(); err != nil {
			fmt.Println(err)
		} else {
			fmt.Println("ok")
		}
	}
}
