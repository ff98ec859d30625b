import type { FailureFacts, Report } from '../../../nodes/shared/failure/evidence';
import type { GatewayFailure } from '../../../nodes/shared/failure/failure';
import { reportedFailure } from '../../../nodes/shared/failure/verdict';

/** The failure of a response with a failing status, and with the gateway's own error object unless `report` says else. */
export function ofStatus(
	{ status, ...facts }: FailureFacts & { status: number },
	asked: Parameters<typeof reportedFailure>[2] = {},
	report: Partial<Report> = {},
): GatewayFailure {
	const usual = { status, hasErrorObject: true, isWebPage: false, hasResult: false };
	return reportedFailure({ ...usual, ...report }, facts, asked);
}
