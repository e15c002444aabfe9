/** Both ends say this number first; a page of another build is told to reload. */
export const PROTOCOL = 1;
