import { z } from 'zod';
import { option } from '../../tool.ts';
import { OWN_SCRIPT } from '../scripts/index.ts';
import { ownOptionsProblem } from '../scripts/own.ts';
import { ownTablesProblem } from '../scripts/own-tables.ts';

const group = 'Own script';
const when = { option: 'script', in: [OWN_SCRIPT] };

/** A Lua script that a person brings. */
export const ownOptions = {
  'script-text': option(z.string().max(200_000).default(''), {
    title: 'Text of the script',
    description:
      'Lua for sysbench 1.0, with an event function at least. It is stored with the experiment and sent to the generator for each run. Lines that it prints as “[ 3s ] metrics: name=1.00” become series beside sysbench’s own.',
    group,
    multiline: true,
    language: 'lua',
    when,
  }),
  'script-file': option(z.string().regex(/^\//, 'An absolute path.').optional(), {
    title: 'File of the script',
    description:
      'In place of the text: path of a Lua script on the generator. What it requires is found in its own folder, so that scripts of several files, such as sysbench-tpcc, run as they are. Its options can only be checked by the run itself.',
    group,
    when,
  }),
  'script-options': option(
    z
      .string()
      .max(10_000)
      .superRefine((text, context) => {
        const problem = ownOptionsProblem(text);
        if (problem) context.addIssue({ code: 'custom', message: problem });
      })
      .default(''),
    {
      title: 'Options of the script',
      description:
        'name=value with blanks or new lines between, as the script declares them in sysbench.cmdline.options; those of oltp_common.lua as well if it builds on that.',
      group,
      multiline: true,
      when,
    },
  ),
  'script-prepare': option(z.boolean().default(false), {
    title: 'Script makes its data',
    description:
      'The script has the commands prepare and cleanup, to be run before the session and when data is removed. Its rows are counted if script-tables names its tables.',
    group,
    when,
  }),
  'script-tables': option(
    z
      .string()
      .max(10_000)
      .superRefine((text, context) => {
        const problem = ownTablesProblem(text);
        if (problem) context.addIssue({ code: 'custom', message: problem });
      })
      .default(''),
    {
      title: 'Tables of the script',
      description:
        'What its prepare makes, a table in each line: “items = rows * 2”, with the options of the script (underscores, as in Lua), + - * / ( ), floor and ceil. “orders{tables} = rows” is orders1, orders2 …; “log >= 0” is a table that trials add to. Counted before use, and right after prepare; without it nothing is counted.',
      group,
      multiline: true,
      when: { option: 'script-prepare', in: [true] },
    },
  ),
};
