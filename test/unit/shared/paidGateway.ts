import type { IDataObject } from 'n8n-workflow';
import type { GatewayFailure } from '../../../nodes/shared/failure/failure';
import type { GatewayClient } from '../../../nodes/shared/send/client';
import type { GatewayRequest } from '../../../nodes/shared/send/layer';
import { Ledger } from '../../../nodes/shared/send/ledger';
import { endpoints } from '../../../nodes/shared/send/endpoints';
import { PaidResults } from '../../../nodes/shared/run/paidResults';
import { type Paid, type PaidForm, Payments } from '../../../nodes/shared/run/payments';
import { Redactor } from '../../../nodes/shared/answer/redactor';
import { FakeClock } from '../fakeClock';

/** The key of the gateway. */
export const KEY = 'sk-3f9a1c7e5b2d8046af51';

/** A request. By default, it goes to the endpoint of chat completions. */
export type PaidRequest = Omit<GatewayRequest, 'endpoint'> & Partial<Pick<GatewayRequest, 'endpoint'>>;

/** A gateway that records its requests, with the runs of one node that use it. */
export class PaidGateway {
	sent: GatewayRequest[] = [];
	/** Failures for the next requests. */
	failures: GatewayFailure[] = [];
	usesIdempotencyKeys = false;
	base = 'https://gateway.example';
	context: IDataObject = {};
	deletedFiles = new Set<string>();

	/** Returns the payments of a new try, in the same execution or another one. */
	payments(executionId = '1', startsAnew = false, stop?: AbortSignal): Payments {
		return new Payments(this.client, {
			results: new PaidResults(this.context, { runIndex: 0, startsAnew }),
			executionId,
			stop,
			hasFile: async ({ id }) => !this.deletedFiles.has(id ?? ''),
		});
	}

	get client(): GatewayClient {
		return {
			addresses: { base: this.base, alternate: undefined, utilities: this.base },
			usesIdempotencyKeys: this.usesIdempotencyKeys,
			redactor: new Redactor([KEY]),
			clock: new FakeClock(),
			ledger: new Ledger(new FakeClock()),
			send: async (request: GatewayRequest) => {
				this.sent.push(request);
				const failure = this.failures.shift();
				if (failure) throw failure;
				return `answer ${this.sent.length}`;
			},
		} as unknown as GatewayClient;
	}

	get keys(): Array<string | undefined> {
		return this.sent.map(({ idempotencyKey }) => idempotencyKey);
	}
}

/** Sends a paid request; by default, a question for item 0. */
export async function ask(
	payments: Payments,
	items: number[] = [0],
	request: PaidRequest = { json: { prompt: 'Hello' } },
	form?: PaidForm<string>,
): Promise<Paid<string>> {
	return await payments.send<string>(
		items,
		{ endpoint: endpoints.chatCompletions, ...request },
		async () => '',
		form,
	);
}
