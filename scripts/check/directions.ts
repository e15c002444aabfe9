import type { Module } from './modules.ts';
import { type Complaint, isTest, packageOf, targetOf } from './project.ts';
import { type Room, testing } from './rooms.ts';

/** A room with the name that its `*` matches. */
interface Place {
  readonly room: Room;
  readonly name: string;
}

// A room path as a pattern whose group is the name that its star matches.
const patternOf = (at: string): RegExp =>
  new RegExp(`^${at.replace(/[.]/g, '\\.').replace('*', '([^/]+)')}${at.endsWith('/') ? '' : '$'}`);

/** The folders of which this room is one, or in one of which it is. */
const starOf = ({ at }: Room): string | undefined => /^[^*]*\*\//.exec(at)?.[0];

/** A file is in the most specific matching room. */
const weightOf = ({ at }: Room): number =>
  at.replace('*', '').length + (/[*/]$/.test(at) || at.includes('*') ? 0 : 1000);

/** Returns the room of a file. */
function placer(rooms: readonly Room[]): (file: string) => Place | undefined {
  const special = rooms.toSorted((one, other) => weightOf(other) - weightOf(one));
  const patterns = special.map((room) => ({ room, pattern: patternOf(room.at) }));
  return (file) => {
    for (const { room, pattern } of patterns) {
      const match = pattern.exec(file);
      if (match) return { room, name: match[1] ?? '' };
    }
    return undefined;
  };
}

/** Every import that the rooms' `DEPS` do not allow, and every file without a room. */
export function checkDirections(modules: Iterable<Module>, rooms: readonly Room[]): Complaint[] {
  const placeOf = placer(rooms);
  const around = (file: string) => rooms.filter(({ at }) => at.endsWith('/') && file.startsWith(at));
  const complaints: Complaint[] = [];
  for (const module of modules) {
    const here = placeOf(module.file);
    if (!here) {
      complaints.push({
        file: module.file,
        line: 1,
        text: 'belongs to no room: give its folder a DEPS',
      });
      continue;
    }
    for (const { specifier, line } of module.mentions) {
      const text = refusal(module.file, here, specifier, {
        placeOf,
        around: isTest(module.file) ? around(module.file) : [],
      });
      if (text) complaints.push({ file: module.file, line, text });
    }
  }
  return complaints;
}

function refusal(
  file: string,
  here: Place,
  specifier: string,
  { placeOf, around }: { placeOf: (file: string) => Place | undefined; around: readonly Room[] },
): string | undefined {
  const test = isTest(file);
  const target = targetOf(file, specifier);
  if (target === undefined) return outsideRefusal(here.room, specifier, test);
  if (!/\.tsx?$/.test(target)) return undefined;
  const there = placeOf(target);
  if (!there) return `imports ${target}, which belongs to no room`;
  if (there.room === here.room) {
    if (there.name === here.name) return undefined;
    return `imports ${target}, but the rooms of ${here.room.at} never import each other`;
  }
  const star = starOf(here.room);
  if (star !== undefined && star === starOf(there.room) && here.name !== there.name)
    return `imports ${target}, but the rooms of ${star} never import each other`;
  const allowed = [...here.room.rooms, ...(test ? [...(here.room.tests ?? []), ...testing.rooms] : [])];
  if (allowed.includes(there.room.at)) return undefined;
  // A test is next to its subject, and imports the rooms around it through their entry.
  if (around.some(({ at, rooms }) => at === there.room.at || rooms.includes(there.room.at))) return undefined;
  return `imports ${target}, but ${here.room.at} may import only ${allowed.length > 0 ? allowed.join(', ') : 'from itself'}`;
}

function outsideRefusal(room: Room, specifier: string, test: boolean): string | undefined {
  if (specifier.startsWith('node:'))
    return room.node || test ? undefined : `imports ${specifier}, but ${room.at} knows nothing of Node`;
  const allowed = [...(room.packages ?? []), ...(test ? (testing.packages ?? []) : [])];
  if (allowed.includes(packageOf(specifier))) return undefined;
  return `imports the package ${specifier}, but ${room.at} may use only ${allowed.length > 0 ? allowed.join(', ') : 'no package'}`;
}
