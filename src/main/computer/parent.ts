import { native } from '../../shared/contract/native.ts';
import { channels } from '../../shared/rpc/channels.ts';
import { connect } from '../../shared/rpc/client.ts';
import type { Transport } from '../../shared/rpc/define.ts';
import { ipcTransport, mainPortTransport } from '../../shared/rpc/transports.ts';
import type { SecretKeeper } from '../engine/secrets/vault.ts';

/** The shell, as seen by the engine's process. Names of conversations: `native` (its few calls), `page…` (one per page). */
export interface Parent {
  onConversation(listener: (name: string, transport: Transport) => void): void;
  /** From now on, pages can be connected. */
  ready(): void;
  /** Called when the shell has ended, or requests the end of this process. */
  onEnd(listener: () => void): void;
}

/** Electron's utility process: conversations arrive as message ports. */
interface UtilityPort {
  on(event: 'message', listener: (event: { data: unknown; ports: MainPort[] }) => void): void;
  postMessage(message: unknown): void;
}
type MainPort = Parameters<typeof mainPortTransport>[0];

/** The shell that started this process, over either kind of connection. Undefined without a shell. */
export function parentOf(self: NodeJS.Process & { parentPort?: UtilityPort }): Parent | undefined {
  if (self.parentPort) return utilityParent(self.parentPort);
  return self.send ? childParent(self) : undefined;
}

function utilityParent(port: UtilityPort): Parent {
  let conversation: ((name: string, transport: Transport) => void) | undefined;
  let end: (() => void) | undefined;
  return {
    onConversation: (listener) => {
      conversation = listener;
      port.on('message', ({ data, ports }) => {
        if (data === 'end') end?.();
        else if (ports[0] && typeof data === 'string') conversation?.(data, mainPortTransport(ports[0]));
      });
    },
    ready: () => port.postMessage('ready'),
    onEnd: (listener) => {
      end = listener;
    },
  };
}

function childParent(self: NodeJS.Process): Parent {
  const pipe = ipcTransport(self);
  const talk = channels(pipe);
  return {
    onConversation: (listener) => talk.onOpen(listener),
    ready: () => {
      talk.open('ready');
    },
    onEnd: (listener) => pipe.onClose(listener),
  };
}

/** The operating system's keychain, accessed through the shell. Undefined if there is no real one. */
export async function keychainOf(transport: Transport): Promise<SecretKeeper | undefined> {
  const shell = connect(native, transport);
  const { available } = await shell.keychain({});
  if (!available) return undefined;
  return {
    seal: async (text) => (await shell.encrypt({ text })).bytes,
    open: async (bytes) => (await shell.decrypt({ bytes })).text,
  };
}
