import { tasksOfMachine } from './forks.ts'
import type { Limits } from './run.ts'

/** A user may have this many tasks more than the machine has now; root may have any number all the same. */
const moreTasks = 512

/** ulimit -f counts blocks of this many bytes in every POSIX shell. */
const block = 512

/**
 * Bounds a program from inside: by its limits, a lower priority, and a reader beside it that ends the whole group when
 * our end of stdin closes, as it does when this process is killed.
 */
export function shellCommand(command: readonly string[], limits: Limits) {
  const bounds = [
    'ulimit -c 0',
    `ulimit -f ${Math.ceil((limits.folder_mb * 2 ** 20) / block)}`,
    ...(limits.addresses_mb === undefined ? [] : [`ulimit -v ${limits.addresses_mb * 1024}`]),
    ...(limits.data_mb === undefined ? [] : [`ulimit -d ${limits.data_mb * 1024}`]),
  ].map((bound) => `${bound} 2>/dev/null`)
  const tasks = tasksOfMachine() + moreTasks
  const script = [
    ...bounds,
    `ulimit -u ${tasks} 2>/dev/null || ulimit -p ${tasks} 2>/dev/null`,
    // Where memory runs out all the same, the kernel ends the program before the service.
    '{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null',
    'exec 9<&0 </dev/null',
    // In a session of its own, so that it goes on while the group is frozen.
    'apart=$(command -v setsid)',
    '$apart /bin/sh -c \'read -r _; kill -s KILL -- "-$1"\' sh $$ <&9 9<&- >/dev/null 2>&1 &',
    'exec nice -n 10 "$@" 9<&-',
  ].join('\n')
  return { file: '/bin/sh', args: ['-c', script, 'sh', ...command] }
}
