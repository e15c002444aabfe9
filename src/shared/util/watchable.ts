const OTHERS = /^(macOS|Darwin|Windows|MINGW|MSYS|CYGWIN|(Free|Open|Net|DragonFly ?)BSD|SunOS|AIX)/i;

/** Whether a host can be watched, by the operating system that it names: what a host does is read from the /proc of Linux. */
export const isWatchable = (os: string): boolean => !OTHERS.test(os);
