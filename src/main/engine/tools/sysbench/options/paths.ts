import type { NeededPath } from '../../tool.ts';
import { OWN_SCRIPT } from '../scripts/index.ts';
import type { SysbenchOptions } from './index.ts';

/** What sysbench reads from one folder when it is told to use TLS. */
const TLS_FILES = ['cacert.pem', 'client-cert.pem', 'client-key.pem'];

/** The folder of fileio, a script in a file, and the files for TLS. */
export function pathsOf(options: SysbenchOptions, path: string | undefined): NeededPath[] {
  const { script, 'script-file': file, 'mysql-ssl-directory': folder } = options;
  const base = options.directory ?? path;
  const needed: NeededPath[] = [];
  if (script === 'fileio' && base?.startsWith('/'))
    needed.push({ what: 'Directory', kind: 'new-folder', anyOf: [base] });
  if (script === OWN_SCRIPT && file !== undefined)
    needed.push({ what: 'File of the script', kind: 'file', anyOf: [file] });
  if (folder !== undefined && options['mysql-ssl'] !== 'off')
    for (const name of TLS_FILES)
      needed.push({ what: 'Folder of TLS files', kind: 'file', anyOf: [`${folder.replace(/\/+$/, '')}/${name}`] });
  return needed;
}
