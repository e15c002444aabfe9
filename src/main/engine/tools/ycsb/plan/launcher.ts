/** Precedes each HdrHistogram log printed after the run, followed by the name of the measurement. */
export const HISTOGRAM_MARK = 'HdrHistogram log of ';

/**
 * HdrHistogram before 2.1.10 writes base64 with a class that was removed in Java 11, and YCSB then ends without a report. This class replaces it, at
 * the end of the class path, as octal numbers for printf:
 * `public class DatatypeConverter { public static String printBase64Binary(byte[] b) { return java.util.Base64.getEncoder().encodeToString(b); } }`
 */
const CONVERTER = [
  '\\312\\376\\272\\276\\000\\000\\0004\\000\\031\\012\\000\\002\\000\\003\\007\\000\\004\\014\\000\\005\\000\\006\\001',
  '\\000\\020java/lang/Object\\001\\000\\006<init>\\001\\000\\003()V\\012\\000\\010\\000\\011\\007\\000\\012\\014\\000',
  '\\013\\000\\014\\001\\000\\020java/util/Base64\\001\\000\\012getEncoder\\001\\000\\034()Ljava/util/Base64\\044Encoder;',
  '\\012\\000\\016\\000\\017\\007\\000\\020\\014\\000\\021\\000\\022\\001\\000\\030java/util/Base64\\044Encoder\\001\\000',
  '\\016encodeToString\\001\\000\\026([B)Ljava/lang/String;\\007\\000\\024\\001\\000\\040javax/xml/bind/DatatypeConverter',
  '\\001\\000\\004Code\\001\\000\\021printBase64Binary\\001\\000\\014InnerClasses\\001\\000\\007Encoder\\000\\041\\000',
  '\\023\\000\\002\\000\\000\\000\\000\\000\\002\\000\\001\\000\\005\\000\\006\\000\\001\\000\\025\\000\\000\\000\\021',
  '\\000\\001\\000\\001\\000\\000\\000\\005\\052\\267\\000\\001\\261\\000\\000\\000\\000\\000\\011\\000\\026\\000\\022',
  '\\000\\001\\000\\025\\000\\000\\000\\024\\000\\002\\000\\001\\000\\000\\000\\010\\270\\000\\007\\052\\266\\000\\015',
  '\\260\\000\\000\\000\\000\\000\\001\\000\\027\\000\\000\\000\\012\\000\\001\\000\\016\\000\\010\\000\\030\\000\\011',
].join('');

/**
 * Starts YCSB without its Python script: finds the installation's jars, the package of its classes (com.yahoo.ycsb before 0.15) and the class of the
 * binding on the generator itself, and reports them. A JDBC table is created and dropped by the binding's own JdbcDBCli, a collection by a program in
 * the same folder as this script; both read the password from the properties file. Names in the central directory of a jar are plain text.
 *
 * YCSB's MongoDB bindings print their URL including the password, so their output goes through a filter, which the script waits for.
 */
export const LAUNCHER = `directory=. binding=basic class= workload= java=java jvm= connection= admin= ca= drop= create= fill= beside= latencies= given= decided= names=
while [ $# -gt 0 ]; do
  case $1 in
    --directory) directory=$2 ;;
    --binding) binding=$2 ;;
    --class) class=$2 ;;
    --workload) workload=$2 ;;
    --java) java=$2 ;;
    --jvm) jvm=$2 ;;
    --connection) connection=$2 ;;
    --admin) admin=$2 ;;
    --ca) ca=$2 ;;
    --drop) drop=$2 ;;
    --create) create=$2 ;;
    --fill) fill=$2 ;;
    --beside) beside=$2 ;;
    --latencies) latencies=$2 ;;
    --given) given=$2 ;;
    --decided) decided=$2 ;;
    --names) names=$2 ;;
    --) shift; break ;;
    *) echo "YCSB launcher: unknown word $1" >&2; exit 64 ;;
  esac
  shift 2
done
here=\${0%/*}
fail() { echo "YCSB launcher: $1" >&2; exit 66; }

# Of what a file on the generator sets and the experiment decides, Java would take the experiment's without a word.
if [ -n "$given" ] && [ -r "$given" ]; then
  differing=$(awk -v names="$names" '
    function read(line) {
      sub(/^[ \\t\\f]+/, "", line); sub(/\\r$/, "", line)
      if (line == "" || line ~ /^[#!]/) return 0
      at = match(line, /[=: \\t]/); name = at ? substr(line, 1, at - 1) : line
      value = at ? substr(line, at) : ""; sub(/^[ \\t]*[=:]?[ \\t]*/, "", value); sub(/[ \\t]+$/, "", value)
      return 1
    }
    function same(one, other) { return one == other || (one ~ /^[0-9.]+$/ && other ~ /^[0-9.]+$/ && one + 0 == other + 0) }
    BEGIN { count = split(names, each, ","); for (i = 1; i <= count; i++) known[each[i]] = 1 }
    FNR == NR { if (read($0)) set[name] = value; next }
    read($0) {
      if (name == "workload" ? value !~ /CoreWorkload$/ : name in set ? !same(set[name], value) : name in known) list = list ", " name "=" value
    }
    END { print substr(list, 3) }' "$decided" "$given") || fail "the properties file $given cannot be read."
  [ -z "$differing" ] || fail "the properties file $given sets what options of the experiment decide, to different values: $differing."
fi

package=
for jar in "$directory"/lib/*.jar "$directory"/core/lib/*.jar; do
  [ -r "$jar" ] || continue
  if grep -q 'site/ycsb/Client\\.class' "$jar"; then package=site.ycsb; break; fi
  if grep -q 'com/yahoo/ycsb/Client\\.class' "$jar"; then package=com.yahoo.ycsb; break; fi
done
[ -n "$package" ] || fail "no YCSB in $directory: no jar in $directory/lib holds its client."
case \${jar##*/} in
  core-*) version=\${jar##*/core-} version=\${version%.jar} ;;
  *) version='of unknown version' ;;
esac
[ -z "$beside" ] || case $version in
  0.[0-9].* | 0.1[01].*) fail "YCSB $version asks for records of a run by recordcount alone: several generators that insert need 0.12.0 or later." ;;
esac
present=basic
for each in "$directory"/*-binding; do [ -d "$each" ] && { each=\${each##*/}; present="$present, \${each%-binding}"; }; done
# Archives of one binding have its jar among those of YCSB.
for each in "$directory"/lib/*-binding-*.jar; do [ -r "$each" ] && { each=\${each##*/}; present="$present, \${each%%-binding-*}"; }; done

bindings() {
  sed -n 's/^\\([a-z][a-z0-9-]*\\):\\([A-Za-z0-9_.$]*\\).*/\\1 \\2/p' "$directory/bin/bindings.properties" 2>/dev/null
  sed -n 's/^ *"\\([a-z][a-z0-9-]*\\)" *: *"\\([A-Za-z0-9_.$]*\\)".*/\\1 \\2/p' "$directory/bin/ycsb" 2>/dev/null
  printf '%s\\n' "basic $package.BasicDB" "jdbc $package.db.JdbcDBClient" "mongodb $package.db.MongoDbClient" "mongodb-async $package.db.AsyncMongoDbClient"
}
folder=$directory/\${binding%%-*}-binding
[ -n "$class" ] || class=$(bindings | sed -n "s/^$binding //p" | sed 1q)
[ -n "$class" ] || fail "no binding named $binding in $directory; present: $present."
classpath="$directory/conf:$directory/lib/*:$directory/core/lib/*:$folder/conf:$folder/lib/*"

trust=
if [ -n "$ca" ]; then
  trust=$here/trust.p12
  rm -f "$trust" "$here"/ca.*.pem
  awk -v to="$here/ca." '/-----BEGIN CERT/ { n++ } n { print > (to n ".pem") }' "$ca" || fail "the certificates of $ca cannot be read."
  case $java in */*) keytool=\${java%/*}/keytool ;; *) keytool=keytool ;; esac
  for each in "$here"/ca.*.pem; do
    said=$("$keytool" -importcert -noprompt -alias "\${each##*/}" -file "$each" -keystore "$trust" -storetype PKCS12 -storepass changeit 2>&1) ||
      fail "the certificates of $ca cannot be used: $said"
  done
fi

# Messages and decimals in English, whatever the host's language. $jvm is split into words on purpose, and only that.
set -f
set_java() {
  command=$1; shift
  "$command" "$java" -Duser.language=en -Duser.country=US \\
    \${trust:+"-Djavax.net.ssl.trustStore=$trust" -Djavax.net.ssl.trustStorePassword=changeit -Djavax.net.ssl.trustStoreType=PKCS12} \\
    $jvm -cp "$classpath" "$@"
}
run_java() { set_java env "$@"; }
hidden() { sed 's,\\(mongodb[a-z+]*://\\)[^/@ ]*@,\\1,g'; }
sql() {
  if [ -z "$admin" ]; then run_java "$package.db.JdbcDBCli" -P "$connection" -c "$1" || exit 1; return; fi
  run_java "$admin" "$connection" $1 && return
  "$java" --list-modules 2>/dev/null | grep -q '^jdk\\.compiler' ||
    fail "$java is no JDK of version 11 or later, which is needed to create and drop collections."
  exit 1
}
[ -z "$drop" ] || sql "$drop"
[ -z "$create" ] || sql "$create"
[ $# -gt 0 ] || exit 0

set -- -db "$class" -p "workload=\${workload:-$package.workloads.CoreWorkload}" "$@"
if [ -n "$fill" ]; then
  log=$here/load.txt
  run_java "$package.Client" "$@" -load -threads "$fill" -target 0 -p maxexecutiontime=0 -p measurementtype=hdrhistogram 2>&1 </dev/null | hidden >"$log"
  if ! grep -q '^\\[INSERT\\], Return=OK' "$log" || grep -q -e 'Return=ERROR' -e '-FAILED\\]' "$log"; then
    cat "$log" >&2
    fail "the load before the run failed."
  fi
fi
if [ -n "$latencies" ]; then
  set +f
  rm -f "$latencies"*.hdr
  set -f
  mkdir -p "$here/classes/javax/xml/bind" && printf '${CONVERTER}' >"$here/classes/javax/xml/bind/DatatypeConverter.class" ||
    fail "no room for a class in $here."
  classpath=$classpath:$here/classes
  set -- "$@" -p hdrhistogram.fileoutput=true -p "hdrhistogram.output.path=$latencies"
fi
echo "YCSB $version in $directory; bindings: $present" >&2
filter=
case $binding in
  mongodb*)
    rm -f "$here/printed"
    mkfifo "$here/printed" || fail "no room for a pipe in $here."
    { trap '' HUP INT TERM; hidden; } <"$here/printed" &
    filter=$!
    set_java exec "$package.Client" "$@" >"$here/printed" </dev/null &
    ;;
  *)
    [ -n "$latencies" ] || set_java exec "$package.Client" "$@"
    set_java exec "$package.Client" "$@" </dev/null &
    ;;
esac
client=$!
trap 'kill -TERM $client 2>/dev/null' HUP INT TERM
while :; do
  wait $client
  code=$?
  kill -0 $client 2>/dev/null || break
done
[ -z "$filter" ] || wait $filter
rm -rf "$here/printed" "$here/classes"
[ -n "$latencies" ] || exit $code
set +f
for log in "$latencies"*.hdr; do
  [ -f "$log" ] || continue
  name=\${log##*/}
  name=\${name#"\${latencies##*/}"}
  echo "${HISTOGRAM_MARK}\${name%.hdr}"
  cat "$log"
  rm -f "$log"
done
exit $code
`;
