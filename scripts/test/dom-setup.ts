/**
 * React's development build asks for a task for every element it makes, so that a debugger shows where an element comes from. No test looks at one,
 * and they took a sixth of the time. Must run before React is loaded.
 */
Object.assign(console, { createTask: undefined });
