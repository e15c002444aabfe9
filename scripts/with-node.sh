#!/bin/sh
# Runs a TypeScript file of this project under Node 24 or later, whatever Node started npm.
# Installs the locked dependencies first when they are missing or changed. Says what it does on stderr only:
# stdout belongs to the file that is run.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
modules=$root/node_modules
stamp=$modules/.kneepoint-lock

say() { printf '%s\n' "kneepoint: $*" >&2; }
stop() { say "$*"; exit 1; }
major() { "$1" -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0; }

# A line every few seconds where npm cannot draw its own progress bar.
count_packages() {
  seconds=0
  while sleep 5; do
    seconds=$((seconds + 5))
    folders=$(find "$modules" -maxdepth 3 -name package.json 2>/dev/null | wc -l)
    say "  ... $seconds s, $folders packages unpacked"
  done
}

install() {
  command -v npm >/dev/null 2>&1 || stop "npm was not found. Install Node.js 20 or later with npm, then run this again."
  say "installing the locked dependencies into node_modules with npm ci (about a minute the first time)."
  began=$(date +%s)
  reporter=
  if [ ! -t 2 ]; then count_packages & reporter=$!; fi
  trap '[ -z "$reporter" ] || kill "$reporter" 2>/dev/null || :' EXIT
  # npm run -s would silence the errors of this inner npm as well.
  if ! (cd "$root" && npm ci --no-audit --no-fund --loglevel=error) >&2; then
    stop "npm ci failed, its own words are above. Most often the npm registry cannot be reached: check the network or the proxy settings of npm, then run this again. Nothing outside node_modules was changed."
  fi
  [ -z "$reporter" ] || kill "$reporter" 2>/dev/null || :
  trap - EXIT
  cp "$root/package-lock.json" "$stamp"
  did="installed the locked dependencies"
}

did=
[ $# -gt 0 ] || stop "usage: with-node.sh FILE [arguments]"
cmp -s "$root/package-lock.json" "$stamp" || install

node=$(command -v node || :)
if [ -z "$node" ] || [ "$(major "$node")" -lt 24 ]; then node=$modules/.bin/node; fi
if [ ! -x "$node" ] || [ "$(major "$node")" -lt 24 ]; then
  stop "Kneepoint needs Node 24 or later. The Node found here is $(node --version 2>/dev/null || echo none), and no locked Node 24 exists for $(uname -s) $(uname -m). Install Node 24 from nodejs.org, put it on PATH, then run this again."
fi

if [ -n "$did" ]; then
  # The Node that started us is not on PATH before ours once npm has put node_modules/.bin there: npm tells its own.
  outer=$(major "${npm_node_execpath:-node}")
  [ "$outer" -ge 24 ] || did="$did and took Node $("$node" -p process.versions.node) with them, because the installed Node $outer is too old for the engine"
  say "set up: $did (in $(($(date +%s) - began)) s)."
fi

PATH=$(dirname "$node"):$PATH
# Sources are TypeScript, read afresh at each start: kept compiled, everything starts in half the time.
NODE_COMPILE_CACHE=${NODE_COMPILE_CACHE:-$modules/.cache/kneepoint}
export PATH NODE_COMPILE_CACHE
file=$1
shift
case $file in /*) ;; *) file=$root/$file ;; esac
# The engine makes a little garbage each second. In the 1 MB that V8 leaves to a quiet process it is searched six times a second, and part of it
# is kept until the whole heap is searched: together a fifth of the engine's CPU.
exec "$node" --min-semi-space-size=16 "$file" "$@"
