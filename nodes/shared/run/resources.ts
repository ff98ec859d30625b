import type { IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';
import { hasFile } from '../files/storeFile';
import type { GatewayClient } from '../send/client';
import type { Redactor } from '../answer/redactor';
import { ParameterReader } from './parameterReader';
import { PaidResults } from './paidResults';
import { Payments, type PaymentSettings } from './payments';
import { Capacity } from './pool';
import { Progress } from './progress';

/** What the calls of one run share. */
export class RunResources<Context extends IExecuteFunctions | ISupplyDataFunctions = IExecuteFunctions> {
	readonly redactor: Redactor;
	readonly payments: Payments;
	readonly done = new Map<string, Promise<unknown>>();
	/** What to say next to the output after the run, and about which items. */
	readonly hints = new Map<string, Set<number>>();

	/** @param paid what earlier tries have paid for, and what ends the run @param progress by default that of a sub-node */
	constructor(
		readonly context: Context,
		readonly client: GatewayClient,
		{ results = new PaidResults(), stop }: Partial<Pick<PaymentSettings, 'results' | 'stop'>> = {},
		readonly parameters = new ParameterReader(context),
		readonly capacity = new Capacity(() => client.lanes.width),
		readonly progress = new Progress(1, client.clock),
	) {
		this.redactor = client.redactor;
		const executionId = context.getExecutionId();
		const isThere: PaymentSettings['hasFile'] = async (file) => await hasFile(context, file);
		this.payments = new Payments(client, { results, stop, executionId, hasFile: isThere });
	}
}
