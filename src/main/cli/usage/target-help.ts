import type { TargetKindInfo } from '../../../shared/model/target.ts';
import { TARGETS, targetKindInfo } from '../../engine/targets/index.ts';

const KINDS = TARGETS.map(targetKindInfo);

/** Names that --config takes; those that are required stand first. */
function settingsOf({ schema }: TargetKindInfo): string {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = Object.keys(schema.properties ?? {});
  return [...names.filter((name) => required.includes(name)), ...names.filter((name) => !required.includes(name))].join(
    ', ',
  );
}

export const TARGET_KINDS = KINDS.map(({ kind }) => kind).join(', ');

export const TARGET_HELP = `
Names that --config takes, by kind:
${KINDS.map((target) => `  ${target.kind.padEnd(10)}  ${settingsOf(target)}`).join('\n')}

  tls                     disabled, preferred, required or verify (mongodb: disabled, required or verify)
  serverKey               public key of the server (PEM). Without TLS, a password of the kind caching_sha2_password or
                          sha256_password is encrypted with this key only
  allowCleartextPassword  true: without TLS the password may be sent so that the server, and anyone in its place or on
                          the way, can read it. Shown on the target. Otherwise such a login is refused

Examples (the address is the one that the load generator sees):
  kneepoint target add shop-db --kind mysql --via loadgen --config address=10.0.0.8 --config user=bench \\
    --config database=sbtest --secret-file db-password.txt --passphrase-file vault-passphrase.txt
  kneepoint target add shop-db --kind mysql … --config tls=disabled --config serverKey="$(cat public_key.pem)"
  kneepoint target test shop-db --passphrase-file vault-passphrase.txt`;

export const PLACE_HELP = `
Names that --server takes:
  host           saved host on which the server lives, or "this computer"
  control        none, systemd, commands or managed
  settings-file  file that the server includes and that Kneepoint has for itself
  limit          seconds that a start, stop or restart may take; 120 if not given
  systemd        unit, sudo=true
  commands       start, stop, restart, reload, kill, status: run by sh on the host
  managed        program, folder, set.NAME for a setting by the server's name; for PgBouncer also upstream (a target)

Examples:
  kneepoint target place shop-db --server host=db1 --server control=systemd --server unit=mariadb.service --server sudo=true
  kneepoint target programs db1 --kind mysql
  kneepoint target place shop-db --server host=db1 --server control=managed --server program=mariadbd \\
    --server set.innodb_buffer_pool_size=4G
  kneepoint target place shop-db --server-file place.yaml
  kneepoint target start shop-db`;
