/**
 * The resident shell that starts jobs, one after the other; builtins only, besides the job itself.
 * Run as `sh -c TEXT jobnet RECORDS LOGS LIFELINE SEPARATOR HEAD`. Standard input: one job a line, as HEAD, JOB,
 * ATTEMPT, SHARD, COMMAND and its arguments, parted by SEPARATOR. Answers and records: KIND CODE JOB.ATTEMPT.
 * docs/protocols.md says why each odd line is there; every one of them was a fault first. Its variables have a prefix
 * because a shell keeps what it imported exported: a plain `log` here would change the `log` of every job.
 */

/** Not white space to the shell, so that an empty field survives; not allowed in a name. */
export const SEPARATOR = '\x1f';

/**
 * The first field of a line. bash as sh forgets what it has read of a line when a signal wakes it; the rest must not
 * be taken for a line, which would start the job under a piece of its name.
 */
export const LINE_HEAD = 'job';

export const LAUNCHER_SCRIPT = `set -Cf
jn_logs=$2 jn_life=$3 jn_sep=$4 jn_head=$5 jn_id= jn_line= jn_woken=
trap 'jn_woken=1' HUP INT QUIT TERM PIPE
trap '[ -z "$jn_id" ] || jn_tell F -' EXIT
exec 3<>"$1" 4>&1 || exit 111
jn_note() { printf '%s %s %s\\n' "$1" "$2" "$jn_id" >&3; }
jn_tell() { jn_note "$@"; printf '%s %s %s\\n' "$1" "$2" "$jn_id" >&4; }
jn_tell R $$
while :; do
  jn_part=
  if IFS= read -r jn_part; then jn_line=$jn_line$jn_part
  elif [ "$jn_woken" ]; then jn_woken= jn_line=$jn_line$jn_part; continue
  else exit 0
  fi
  IFS=$jn_sep; set -- $jn_line; IFS=' ' jn_line=
  [ "$1" = "$jn_head" ] || exit 1
  jn_job=$2 jn_try=$3 jn_id=$2.$3 jn_log=$jn_logs/$4/$2.$3.log jn_code=; shift 4
  if ! printf '' >"$jn_log"; then
    if [ -e "$jn_log" ]; then jn_tell X -; else jn_tell N -; fi
  elif ! jn_note S $$; then jn_tell N -
  else
    { JOBNET_JOB=$jn_job JOBNET_ATTEMPT=$jn_try "$@"; jn_code=$?; } </dev/null >>"$jn_log" 2>&1 3>&- 4>&- 7<>"$jn_life"
    if [ "$jn_code" ]; then jn_tell E "$jn_code"; else jn_tell N -; fi
  fi
  jn_id=
done
`;
