import * as workflow from 'n8n-workflow';
import type { IExecuteFunctions, INodeExecutionData, IWorkflowSettings } from 'n8n-workflow';

/**
 * Handles what older versions of n8n do differently. Each part names the oldest version that does not need it ("May go
 * with"); `npm run test:cores` runs the tests in the engines of n8n 2.0.0 and 2.20.0.
 */

/** From this version on, n8n has the SDK that Unified AI Chat Model and the tools of Unified AI Chat need. */
export const WITH_AI_SDK = '2.16.0';

/** The engine reads the mark of an item this often before it moves the item to the error output. */
const READS_OF_MARK = 2;

/**
 * May go with n8n 2.35.3. Until then, n8n sends a failed item to the error output only if it has `error` and nothing
 * else, or if the item itself carries an error. In that case, it drops everything else in the item (the fields of the
 * row, and what was paid for) as soon as it reads the error again. This mark therefore exists for as many reads as it
 * takes to move the item, and no longer.
 */
export function markedAsFailed(item: INodeExecutionData): INodeExecutionData {
	let reads = 0;
	return Object.defineProperty(item, 'error', {
		configurable: true,
		// n8n copies and saves only what can be enumerated.
		enumerable: false,
		get: () => {
			reads += 1;
			return reads <= READS_OF_MARK ? item.json.error : undefined;
		},
	});
}

/** May go with n8n 2.41; until then, a node cannot ask. Returns the domains to which n8n restricts a credential. */
export function allowedDomainsFor(
	check: Parameters<typeof workflow.assertCredentialAllowsUrl>[0],
): string | undefined {
	if (!('assertCredentialAllowsUrl' in workflow)) return undefined;
	return workflow.assertCredentialAllowsUrl(check);
}

/**
 * May go with n8n 2.34; until then, n8n calls it `sleepWithAbort`. Waits until the time is over, or until the signal is
 * aborted; then it rejects, and may leave a listener at the signal.
 */
export async function interruptibleSleep(milliseconds: number, signal: AbortSignal): Promise<void> {
	const { sleep, sleepWithAbort = sleep } = workflow as typeof workflow & { sleepWithAbort?: typeof sleep };
	await sleepWithAbort(milliseconds, signal);
}

/** Matches the words of Node for a connection that was not made: "connect ECONNREFUSED 127.0.0.1:80". */
const NOT_MADE = /^(connect|getaddrinfo) ([A-Z_]+) (\S+?)(?::(\d+))?(?: - Local .*)?$/;

/** Matches an error that occurs only before a handshake is complete. */
const IN_HANDSHAKE = /^Client network socket disconnected before secure TLS connection was established/;

/**
 * May go with n8n 2.34. Until then, n8n throws away the error of a request, and keeps only its words and its code. They
 * do not always tell whether something was sent: a connection that is reset in its handshake reads like one that is
 * reset afterwards.
 *
 * @returns what the words tell, under the names of Node's errors; undefined if the error itself is available
 */
export function errorInWords(error: unknown) {
	if (!(error instanceof workflow.NodeApiError) || error.cause) return undefined;
	const [message = ''] = error.messages;
	// n8n puts the code of a network error in place of a status.
	const { httpCode } = error;
	const code = httpCode && /^[A-Z]/.test(httpCode) ? httpCode : undefined;
	const [, syscall, codeInWords, hostname, port] = NOT_MADE.exec(message) ?? [];
	return {
		message,
		code: code ?? codeInWords,
		syscall,
		hostname,
		port: port ? Number(port) : undefined,
		request: IN_HANDSHAKE.test(message) ? { socket: { destroyed: true, secureConnecting: true } } : undefined,
	};
}

/** May go with n8n 2.20; before, a node may not be able to ask. Returns the settings of the workflow, as far as known. */
export function workflowSettings(context: IExecuteFunctions): IWorkflowSettings {
	const older: Partial<IExecuteFunctions> = context;
	return older.getWorkflowSettings?.() ?? {};
}
