import type { INodeProperties } from 'n8n-workflow';
import { optionsField } from '../../shared/fields/options';
import { endpoints } from '../../shared/gateway/endpoints';
import { maxWaitOption, outputFields, queryOptions, taskIdField } from '../tasks/fields';

export const DEFAULT_CHECK_INTERVAL_SECONDS = 75;
export const DEFAULT_LONGEST_INTERVAL_SECONDS = 600;
export const DEFAULT_MAX_WAIT_MINUTES = 1440;

/** Parameters of the Music Wait node. */
export const fields: INodeProperties[] = [
	{
		displayName:
			'Connect "Check Again" to the input of this same node and the next node to "Done". While songs are being made, the execution sleeps in the database of n8n; it survives a restart.',
		name: 'loopNotice',
		type: 'notice',
		default: '',
	},
	taskIdField,
	...outputFields,
	optionsField({ timeoutSeconds: endpoints.musicQuery.timeoutSeconds, body: false }, [
		...queryOptions,
		maxWaitOption(DEFAULT_MAX_WAIT_MINUTES),
		{
			displayName: 'Check Interval (Seconds)',
			name: 'checkIntervalSeconds',
			type: 'number',
			typeOptions: { minValue: 5 },
			default: DEFAULT_CHECK_INTERVAL_SECONDS,
			description:
				'How long to wait between the first checks; the waits grow from there. Below 65 seconds the execution stays in memory instead of sleeping.',
		},
		{
			displayName: 'Longest Interval (Seconds)',
			name: 'longestIntervalSeconds',
			type: 'number',
			typeOptions: { minValue: 5 },
			default: DEFAULT_LONGEST_INTERVAL_SECONDS,
			description: 'How long the growing waits between two checks may get',
		},
	]),
];
