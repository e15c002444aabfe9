import { type Host, HostSpec } from '../../../../shared/model/host.ts';

/** A host as typed: everything is text until it is parsed. */
export interface HostDraft {
  name: string;
  address: string;
  port: string;
  user: string;
  method: 'agent' | 'key' | 'password';
  keyFile: string;
  jumps: string[];
}

export function draftOf(host: Host | undefined, name = ''): HostDraft {
  const spec = host?.spec.kind === 'ssh' ? host.spec : undefined;
  return {
    name: spec?.name ?? name,
    address: spec?.address ?? '',
    port: String(spec?.port ?? 22),
    user: spec?.user ?? '',
    method: spec?.auth.method ?? 'agent',
    keyFile: spec?.auth.method === 'key' ? spec.auth.keyFile : '',
    jumps: spec?.jumps ?? [],
  };
}

const REQUIRED: Readonly<Record<string, string>> = {
  name: 'Enter a name.',
  address: 'Enter a host name or an IP address.',
  user: 'Enter the user to log in as.',
  keyFile: 'Enter the path of the private key on this computer.',
  port: 'Enter a port from 1 to 65535.',
};

/** The draft as a host, or its problems by field. */
export function readDraft(draft: HostDraft): { spec: HostSpec } | { wrong: Record<string, string> } {
  const auth =
    draft.method === 'key' ? { method: draft.method, keyFile: draft.keyFile.trim() } : { method: draft.method };
  const { name, address, port, user, jumps } = draft;
  const read = HostSpec.safeParse({ kind: 'ssh', name, address, port: Number(port), user: user.trim(), auth, jumps });
  if (read.success) return { spec: read.data };
  const wrong: Record<string, string> = {};
  for (const issue of read.error.issues) {
    const field = String(issue.path.at(-1) ?? '');
    const empty = issue.code === 'too_small' || field === 'port';
    wrong[field] ??= (empty ? REQUIRED[field] : undefined) ?? issue.message;
  }
  return { wrong };
}

type TextName = 'name' | 'address' | 'port' | 'user' | 'keyFile';

/** Properties of the text field for a field of the draft. */
export const textOf =
  (draft: HostDraft, wrong: Readonly<Record<string, string>>, set: (change: Partial<HostDraft>) => void) =>
  (field: TextName) => ({
    value: draft[field],
    error: wrong[field],
    spellCheck: false,
    autoComplete: 'off',
    onChange: (event: { currentTarget: HTMLInputElement }) => set({ [field]: event.currentTarget.value }),
  });
