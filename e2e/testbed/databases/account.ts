/** The account and database of every test server: sysbench's default names. */
export const ACCOUNT = { user: 'sbtest', password: 'sb-Fixture-pw1', database: 'sbtest' } as const;
