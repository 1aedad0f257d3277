/**
 * The resident shell that starts jobs, one after the other; builtins only, besides the job itself.
 * Run as `sh -c TEXT jobnet RECORDS LOGS LIFELINE SEPARATOR`. Standard input: one job a line, as
 * JOB, ATTEMPT, SHARD, COMMAND and its arguments, parted by SEPARATOR. Answers and records: KIND CODE JOB.ATTEMPT.
 * docs/protocols.md says why each odd line is there; every one of them was a fault first.
 */

/** Not white space to the shell, so that an empty field survives; not allowed in a name. */
export const SEPARATOR = '\x1f';

export const LAUNCHER_SCRIPT = `set -Cf
logs=$2 lifeline=$3 separator=$4 id= line= woken=
trap 'woken=1' HUP INT QUIT TERM PIPE
trap '[ -z "$id" ] || tell F -' EXIT
exec 3<>"$1" 4>&1 || exit 111
note() { printf '%s %s %s\\n' "$1" "$2" "$id" >&3; }
tell() { note "$@"; printf '%s %s %s\\n' "$1" "$2" "$id" >&4; }
tell R $$
while :; do
  part=
  if IFS= read -r part; then line=$line$part
  elif [ "$woken" ]; then woken= line=$line$part; continue
  else exit 0
  fi
  IFS=$separator; set -- $line; IFS=' ' line=
  job=$1 attempt=$2 id=$1.$2 log=$logs/$3/$1.$2.log code=; shift 3
  if ! printf '' >"$log"; then
    if [ -e "$log" ]; then tell X -; else tell N -; fi
  elif ! note S $$; then tell N -
  else
    { JOBNET_JOB=$job JOBNET_ATTEMPT=$attempt "$@"; code=$?; } </dev/null >>"$log" 2>&1 3>&- 4>&- 7<>"$lifeline"
    if [ "$code" ]; then tell E "$code"; else tell N -; fi
  fi
  id=
done
`;
