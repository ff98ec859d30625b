import { compareVersions } from '../versionOrder';

/** The version of n8n that the tests run against, if it is not the one in demo/package.json. */
const tested = process.env.SERVER_TEST_N8N;

/** The first version with the SDK that Unified AI Chat Model needs. */
export const WITH_AI_SDK = '2.16.0';

/** The first version in which other packages can use the node search of n8n's AI builder. */
export const WITH_NODE_SEARCH = '2.40.0';

/** The first version in which a workflow can create data tables. Of earlier versions, only 2.0.0 has been tested. */
export const WITH_TABLES = '2.11.0';

/** From this version on, an agent can demand that its model calls a tool. Older ones have not been tested. */
export const WITH_FORCED_TOOLS = '2.41.0';

/** The first version with traces to which nodes can add data. */
export const WITH_TRACES = '2.41.0';

/** The first version in which a retry of a stopped execution continues where it stopped. 2.20.12 does not do so. */
export const WITH_RETRY_AFTER_STOP = '2.30.0';

/** The parts of n8n that can refuse requests to private addresses. */
export const protectedParts = { nodes: isSince('2.20.0'), credentialTests: isSince('2.30.0') };

/** Tells whether the tested n8n has at least this version. */
export function isSince(version: string): boolean {
	return tested === undefined || compareVersions(tested, version) >= 0;
}

/** Returns `describe` if the tested n8n has at least this version; otherwise `describe.skip`. */
export function describeSince(version: string): jest.Describe {
	if (isSince(version)) return describe;
	console.info(`What is skipped needs n8n ${version}.`);
	return describe.skip;
}
