import type { Command } from 'commander'
import { Exit, exitCodes } from './exit-codes.ts'

/** A script that makes a shell complete the command's words: `source <(weir completion bash)`. */
export function completionFor(shell: string, program: Command): string {
  const words = wordsOf(program)
  if (shell === 'bash') return bash(words)
  if (shell === 'zsh') return zsh(words)
  throw new Exit(exitCodes.usage, `'${shell}': bash and zsh are completed`)
}

type Words = readonly { readonly command: string; readonly says: string; readonly options: readonly string[] }[]

const wordsOf = (program: Command): Words =>
  program.commands.map((command) => ({
    command: command.name(),
    says: command.description(),
    options: [...command.options, ...program.options].flatMap(({ long }) => long ?? []),
  }))

const bash = (words: Words): string => `_weir() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${words.map(({ command }) => command).join(' ')}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${words.map(({ command, options }) => `    ${command}) COMPREPLY=($(compgen -W "${options.join(' ')}" -f -- "$word")) ;;`).join('\n')}
  esac
}
complete -F _weir weir
`

const zsh = (words: Words): string => `#compdef weir
_weir() {
  local -a commands
  commands=(
${words.map(({ command, says }) => `    '${command}:${says.replaceAll("'", "'\\''").replaceAll(':', '\\:')}'`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  case "$words[2]" in
${words.map(({ command, options }) => `    ${command}) _arguments ${options.map((option) => `'${option}'`).join(' ')} '*:file:_files' ;;`).join('\n')}
  esac
}
compdef _weir weir
`
