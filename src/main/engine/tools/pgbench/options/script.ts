import { z } from 'zod';
import { option } from '../../tool.ts';

const group = 'Workload';
const own = { option: 'script', in: ['own', 'mix'] };

const weight = (title: string, description: string, fallback: number) =>
  option(z.int().min(0).max(1_000_000).default(fallback), {
    title,
    description,
    group,
    when: { option: 'script', in: ['mix'] },
  });

/** What each transaction does. */
export const scriptOptions = {
  script: option(z.enum(['tpcb-like', 'simple-update', 'select-only', 'own', 'mix']).default('tpcb-like'), {
    title: 'Script',
    main: true,
    description:
      'What each transaction does. tpcb-like books a sum on an account, its teller and its branch; simple-update leaves out the two small tables that everybody waits for; select-only reads one account; own runs your script; mix draws from all by weight.',
    group,
  }),
  'tpcb-like-weight': weight('Weight of tpcb-like', 'Share of bank transactions in the mix.', 1),
  'simple-update-weight': weight('Weight of simple-update', 'Share of single updates in the mix.', 0),
  'select-only-weight': weight('Weight of select-only', 'Share of reads in the mix.', 1),
  'own-weight': weight(
    'Weight of own scripts',
    'Share of own scripts in the mix, multiplied by the weight of each.',
    0,
  ),
  'own-script': option(z.string().max(200_000).default(''), {
    title: 'Own script',
    main: true,
    description:
      'SQL and pgbench’s \\set, \\if, \\gset and so on, one per line. Several scripts in one text: begin each with a line “-- script: name @weight”.',
    group,
    multiline: true,
    language: 'sql',
    when: own,
  }),
  define: option(
    z
      .string()
      .regex(/^([A-Za-z_]\w*=[^\s,]*([\s,]+[A-Za-z_]\w*=[^\s,]*)*)?$/, 'name=value, with blanks or commas between.')
      .default(''),
    {
      title: 'Variables',
      main: true,
      description:
        'Variables of own scripts as name=value, with blanks or commas between; a script reads them as :name.',
      group,
      when: own,
    },
  ),
  'pgbench-tables': option(z.boolean().default(true), {
    title: 'Uses pgbench’s tables',
    description:
      'Whether own scripts work on the tables that pgbench makes. When off, nothing is prepared, counted, vacuumed or removed: the tables are yours.',
    group,
    when: { option: 'script', in: ['own'] },
  }),
};
