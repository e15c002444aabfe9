/** The account and database that every test server has: the names that sysbench uses by itself. */
export const ACCOUNT = { user: 'sbtest', password: 'sb-Fixture-pw1', database: 'sbtest' } as const;
