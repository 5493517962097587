/** The IANA name of the time zone that the device is in, such as 'Asia/Kolkata'. It changes while somebody travels. */
export const getDeviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
