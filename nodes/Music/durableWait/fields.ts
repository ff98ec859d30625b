import type { INodeProperties } from 'n8n-workflow';
import { optionsField } from '../../shared/fields/options';
import { endpoints } from '../../shared/gateway/endpoints';
import type { Call } from '../../shared/runtime/call';
import { MAX_WAIT, outputFields, queryOptions, readMaxWaitMs, TASK_ID } from '../fields';
import type { CheckIntervals } from './schedule';

const LOOP_NOTICE: INodeProperties = {
	displayName:
		'Connect "Check Again" to the input of this same node, and "Done" to the next node. While songs are being generated, the execution sleeps in the database of n8n and survives a restart.',
	name: 'loopNotice',
	type: 'notice',
	default: '',
};

const DURABLE_MAX_WAIT: INodeProperties = { ...MAX_WAIT, default: 1440 };

const CHECK_INTERVAL: INodeProperties = {
	displayName: 'Check Interval (Seconds)',
	name: 'checkIntervalSeconds',
	type: 'number',
	typeOptions: { minValue: 5, maxValue: 86_400 },
	default: 75,
	description:
		'Time between the first checks. Later intervals are longer. Below 65 seconds, the execution stays in memory instead of sleeping.',
};

const LONGEST_INTERVAL: INodeProperties = {
	displayName: 'Longest Interval (Seconds)',
	name: 'longestIntervalSeconds',
	type: 'number',
	typeOptions: { minValue: 5, maxValue: 86_400 },
	default: 600,
	description: 'Maximum time between two checks',
};

/** Parameters of Music Wait. */
export const fields: INodeProperties[] = [
	LOOP_NOTICE,
	TASK_ID,
	...outputFields,
	optionsField({ timeoutSeconds: endpoints.musicQuery.timeoutSeconds, body: false, streams: true }, [
		...queryOptions,
		DURABLE_MAX_WAIT,
		CHECK_INTERVAL,
		LONGEST_INTERVAL,
	]),
];

/** How often and how long to wait. */
export interface WaitLimits {
	intervals: CheckIntervals;
	maxWaitMs: number;
}

/** @throws GatewayFailure (kind `input`) when a number is not within the limits */
export function readWaitLimits(call: Call): WaitLimits {
	return {
		intervals: {
			firstIntervalMs: call.options.numberOrDefault(CHECK_INTERVAL) * 1000,
			longestIntervalMs: call.options.numberOrDefault(LONGEST_INTERVAL) * 1000,
		},
		maxWaitMs: readMaxWaitMs(call, DURABLE_MAX_WAIT),
	};
}
