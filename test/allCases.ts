/** Whether tests with very many cases take all of them (`npm run reliability`), and not only some (`npm test`). */
export const takesAllCases = process.env.ALL_TEST_CASES === 'true';
