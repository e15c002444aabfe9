/**
 * Starts YCSB without its Python script: finds the installation's jars, the package of its classes (com.yahoo.ycsb before
 * 0.15) and the class of the binding on the generator itself. A JDBC table is made and dropped through the binding's own
 * JdbcDBCli, which reads the password from the properties file. Names in the central directory of a jar are plain text.
 */
export const LAUNCHER = `directory=. binding=basic class= workload= java=java jvm= connection= drop= create= fill=
while [ $# -gt 0 ]; do
  case $1 in
    --directory) directory=$2 ;;
    --binding) binding=$2 ;;
    --class) class=$2 ;;
    --workload) workload=$2 ;;
    --java) java=$2 ;;
    --jvm) jvm=$2 ;;
    --connection) connection=$2 ;;
    --drop) drop=$2 ;;
    --create) create=$2 ;;
    --fill) fill=$2 ;;
    --) shift; break ;;
    *) echo "YCSB launcher: unknown word $1" >&2; exit 64 ;;
  esac
  shift 2
done
fail() { echo "YCSB launcher: $1" >&2; exit 66; }

package=
for jar in "$directory"/lib/*.jar "$directory"/core/lib/*.jar; do
  [ -r "$jar" ] || continue
  if grep -q 'site/ycsb/Client\\.class' "$jar"; then package=site.ycsb; break; fi
  if grep -q 'com/yahoo/ycsb/Client\\.class' "$jar"; then package=com.yahoo.ycsb; break; fi
done
[ -n "$package" ] || fail "no YCSB in $directory: no jar in $directory/lib holds its client."

bindings() {
  sed -n 's/^\\([a-z][a-z0-9-]*\\):\\([A-Za-z0-9_.$]*\\).*/\\1 \\2/p' "$directory/bin/bindings.properties" 2>/dev/null
  sed -n 's/^ *"\\([a-z][a-z0-9-]*\\)" *: *"\\([A-Za-z0-9_.$]*\\)".*/\\1 \\2/p' "$directory/bin/ycsb" 2>/dev/null
  printf '%s\\n' "basic $package.BasicDB" "jdbc $package.db.JdbcDBClient"
}
folder=$directory/\${binding%%-*}-binding
[ -n "$class" ] || class=$(bindings | sed -n "s/^$binding //p" | sed 1q)
if [ -z "$class" ]; then
  present=basic
  for each in "$directory"/*-binding; do [ -d "$each" ] && { each=\${each##*/}; present="$present, \${each%-binding}"; }; done
  fail "no binding named $binding in $directory; present: $present."
fi
classpath="$directory/conf:$directory/lib/*:$directory/core/lib/*:$folder/conf:$folder/lib/*"

# Messages and decimals in English, whatever the host's language. $jvm is split into words on purpose, and only that.
set -f
run_java() { "$java" -Duser.language=en -Duser.country=US $jvm -cp "$classpath" "$@"; }
sql() { run_java "$package.db.JdbcDBCli" -P "$connection" -c "$1" || exit 1; }
[ -z "$drop" ] || sql "$drop"
[ -z "$create" ] || sql "$create"
[ $# -gt 0 ] || exit 0

set -- -db "$class" -p "workload=\${workload:-$package.workloads.CoreWorkload}" "$@"
if [ -n "$fill" ]; then
  log=\${0%/*}/load.txt
  run_java "$package.Client" "$@" -load -threads "$fill" -target 0 -p maxexecutiontime=0 -p measurementtype=hdrhistogram >"$log" 2>&1 </dev/null
  if ! grep -q '^\\[INSERT\\], Return=OK' "$log" || grep -q -e 'Return=ERROR' -e '-FAILED\\]' "$log"; then
    cat "$log" >&2
    fail "the load before the run failed."
  fi
fi
exec "$java" -Duser.language=en -Duser.country=US $jvm -cp "$classpath" "$package.Client" "$@"
`;
