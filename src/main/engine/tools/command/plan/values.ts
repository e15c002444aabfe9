import { KneepointError } from '../../../../../shared/model/problem.ts';

/** A completed script, and variables for values that a shell would not read literally. */
export interface FilledScript {
  text: string;
  variables: Record<string, string>;
}

/** Characters without special meaning to a shell, in any position. */
const PLAIN = /^[\w@%+=:,./-]*$/;
const PLACEHOLDER = /\{([a-z]+(?:-[a-z]+)*|(?:share|start) of \w+)\}/y;
/** Share of a number. It may be used anywhere in a script, like any value. */
export const SHARE_OF = /(?<![$\\])\{(share|start) of (\w+)\}/g;

/** Whether the script uses a value. */
export const asksFor = (script: string, name: string): boolean => new RegExp(`(?<![$\\\\])\\{${name}\\}`).test(script);

type Quotes = 'none' | 'single' | 'double' | 'comment';

/** The quoting state of a POSIX shell after this character. */
function quotesBehind(quotes: Quotes, character: string, before: string): Quotes {
  if (quotes === 'comment') return character === '\n' ? 'none' : 'comment';
  if (character === "'" && quotes !== 'double') return quotes === 'single' ? 'none' : 'single';
  if (character === '"' && quotes !== 'single') return quotes === 'double' ? 'none' : 'double';
  return character === '#' && quotes === 'none' && /^[\s;]?$/.test(before) ? 'comment' : quotes;
}

/**
 * Replaces `{name}` in a shell script with values. A value that a shell could read as more than one word becomes a variable, which keeps it one word;
 * `raw` values are parts of the script itself. `${name}` and braces with other names belong to the script. Throws `experiment-invalid` for an unknown
 * value, and for one that single quotes would prevent from being replaced.
 */
export function fillScript(
  script: string,
  values: Readonly<Record<string, string | undefined>>,
  raw: Readonly<Record<string, string>>,
): FilledScript {
  const variables: Record<string, string> = {};
  let text = '';
  let quotes: Quotes = 'none';
  for (let at = 0; at < script.length; ) {
    PLACEHOLDER.lastIndex = at;
    const name = script[at - 1] === '$' ? undefined : PLACEHOLDER.exec(script)?.[1];
    if (name !== undefined && Object.hasOwn(raw, name)) text += raw[name];
    else if (name !== undefined && Object.hasOwn(values, name)) text += filled(name, values[name], quotes, variables);
    else {
      const character = script[at] as string;
      const escaped = character === '\\' && quotes !== 'single' && quotes !== 'comment';
      text += escaped ? script.slice(at, at + 2) : character;
      if (!escaped) quotes = quotesBehind(quotes, character, script[at - 1] ?? '');
      at += escaped ? 2 : 1;
      continue;
    }
    at = PLACEHOLDER.lastIndex;
  }
  return { text, variables };
}

function filled(name: string, value: string | undefined, quotes: Quotes, variables: Record<string, string>): string {
  if (value === undefined)
    throw new KneepointError({
      code: 'experiment-invalid',
      message: `The command uses {${name}}, but this target has no such value.`,
      safe: 'Nothing was started.',
      next: 'Remove it from the command, or choose a target that has it.',
    });
  if (PLAIN.test(value) || quotes === 'comment') return value;
  if (quotes === 'single')
    throw new KneepointError({
      code: 'experiment-invalid',
      message: `{${name}} is in single quotes, but its value “${value}” must be quoted itself.`,
      safe: 'Nothing was started.',
      next: 'Use double quotes there.',
    });
  const variable = `kneepoint_${name.replaceAll('-', '_')}`;
  variables[variable] = value;
  return quotes === 'double' ? `\${${variable}}` : `"\${${variable}}"`;
}
