//go:build tools

// Package programs names the program that tests build, so that Go knows its modules.
package programs

import _ "github.com/FerretDB/FerretDB/cmd/ferretdb"
