import { compareVersions } from '../versionOrder';

/** The version of n8n that the tests run against, if it is not the one in demo/package.json. */
const tested = process.env.SERVER_TEST_N8N;

/** From this version on, n8n has the SDK that Unified AI Chat Model needs. */
export const WITH_AI_SDK = '2.16.0';

/** From this version on, other packages can use the node search of n8n's AI builder. */
export const WITH_NODE_SEARCH = '2.40.0';

/** From this version on, a workflow can create data tables. Of the versions before it, only 2.0.0 has been tested. */
export const WITH_TABLES = '2.11.0';

/** From this version on, an agent can demand that its model calls a tool. Older ones have not been tested. */
export const WITH_FORCED_TOOLS = '2.41.0';

/** From this version on, n8n has traces that nodes can add to. */
export const WITH_TRACES = '2.41.0';

/** From this version on, n8n retries an execution that was stopped from where it was. 2.20.12 does not. */
export const WITH_RETRY_AFTER_STOP = '2.30.0';

/** What of n8n can refuse requests to private addresses. */
export const protectedParts = { nodes: isSince('2.20.0'), credentialTests: isSince('2.30.0') };

/** Whether the n8n that is tested is at least of this version. */
export function isSince(version: string): boolean {
	return tested === undefined || compareVersions(tested, version) >= 0;
}

/** `describe` for what older versions of n8n cannot do. */
export function describeSince(version: string): jest.Describe {
	if (isSince(version)) return describe;
	console.info(`What is skipped needs n8n ${version}.`);
	return describe.skip;
}
