import { staffEndpoint } from '#contract/endpoint.ts';

export const getImportedTimetable = staffEndpoint('GET', '/api/staff/timetable', 'change_timetable');
export const downloadTimetableFile = staffEndpoint(
  'GET',
  '/api/staff/timetable/files/{name}',
  'change_timetable',
);
export const listPromoCodes = staffEndpoint('GET', '/api/staff/timetable/promo_codes', 'change_timetable');
export const checkTimetable = staffEndpoint('POST', '/api/staff/timetable/check', 'change_timetable');
export const applyTimetable = staffEndpoint('POST', '/api/staff/timetable', 'change_timetable');
export const listTimetableChanges = staffEndpoint('GET', '/api/staff/timetable/changes', 'change_timetable');
export const checkTakeBack = staffEndpoint(
  'POST',
  '/api/staff/timetable/changes/{id}/check',
  'change_timetable',
);
export const takeBackTimetable = staffEndpoint(
  'POST',
  '/api/staff/timetable/changes/{id}/take_back',
  'change_timetable',
);
