import type { NeededPath } from '../../tool.ts';
import type { YcsbOptions } from './index.ts';

/** The core of an installation, its binding, and the files that are named beside them: what the launcher looks for. */
export function pathsOf(options: YcsbOptions): NeededPath[] {
  const { directory, binding, db, java } = options;
  const inside = directory.replace(/(?<=.)\/+$/, '');
  const family = binding.replace(/-.*/, '');
  const file = options['properties-file'];
  return [
    { what: 'Java', kind: 'program', anyOf: [java] },
    {
      what: 'YCSB',
      kind: 'file',
      anyOf: [`${inside}/lib/core-*.jar`, `${inside}/core/lib/core-*.jar`, `${inside}/lib/ycsb-*.jar`],
      next: `Unpack YCSB into ${directory}.`,
    },
    // Basic is in the core, and a class of one's own can be in any jar.
    ...(binding === 'basic' || db !== undefined
      ? []
      : ([
          {
            what: `Binding ${binding}`,
            kind: 'file',
            anyOf: [`${inside}/${family}-binding/lib/*.jar`, `${inside}/lib/${family}-binding-*.jar`],
            next: `Choose a binding that is installed, or unpack a release of YCSB with ${binding}.`,
          },
        ] satisfies NeededPath[])),
    ...(file === undefined ? [] : ([{ what: 'Properties file', kind: 'file', anyOf: [file] }] satisfies NeededPath[])),
  ];
}
