import type { FailureFacts, GatewayFailure } from '../../nodes/shared/failure/failure';
import type { Report } from '../../nodes/shared/failure/evidence';
import { reportedFailure } from '../../nodes/shared/failure/verdict';

/** The failure of a response with this status, and the error object of a gateway. */
export function statusFailure(
	{ status, ...facts }: FailureFacts & { status: number },
	report: Partial<Report> = {},
): GatewayFailure {
	const usual = { status, hasErrorObject: true, isWebPage: false, hasResult: false };
	return reportedFailure({ ...usual, ...report }, facts);
}
