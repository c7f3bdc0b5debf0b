/* Errors are statuses with messages, for any argument; no call ends the process. */
#include "dndi.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#undef NDEBUG
#define EXPECT(call, status, text)                                                                                    \
    do {                                                                                                              \
        DndiStatus found = (call);                                                                                    \
        if (found != (status) || !strstr(dndi_last_error(), (text))) {                                                \
            fprintf(stderr, "%s:%d: %s gives %d: %s\n", __FILE__, __LINE__, #call, found, dndi_last_error());         \
            return 1;                                                                                                 \
        }                                                                                                             \
    } while (0)

int main(void) {
    DndiSettings *settings = NULL;
    DndiConverter *converter = NULL;
    DndiInspector *inspector = NULL;
    DndiFrame *frame = NULL;
    DndiFrameInfo info;
    DndiFinding finding;
    DndiPlan plan;
    static uint16_t samples[64 * 48 * 2];
    DndiPlane planes[3] = {{samples, 128}, {samples, 64}, {samples, 64}};

    EXPECT(dndi_settings_new(64, 48, NULL, 8, &settings), DNDI_STATUS_ERROR_ARGUMENT, "sampling is a null pointer");
    EXPECT(dndi_settings_new(64, 48, "420", 8, NULL), DNDI_STATUS_ERROR_ARGUMENT, "settings is a null pointer");
    EXPECT(dndi_settings_new(64, 48, "999", 8, &settings), DNDI_STATUS_ERROR_OPTION, "no sampling '999'");
    EXPECT(dndi_settings_new(64, 48, "\xff", 8, &settings), DNDI_STATUS_ERROR_ARGUMENT, "not UTF-8");
    EXPECT(dndi_settings_new(0, 48, "420", 8, &settings), DNDI_STATUS_ERROR_INPUT, "picture size 0x48");
    EXPECT(dndi_settings_new(64, 48, "420", 17, &settings), DNDI_STATUS_ERROR_INPUT, "17 bits per sample");
    if (settings || dndi_settings_new(64, 48, "420", 10, &settings))
        return 1;
    EXPECT(dndi_settings_set(settings, "no-such-option", "1"), DNDI_STATUS_ERROR_OPTION, "there is no such option");
    EXPECT(dndi_settings_set(settings, "rate", "half"), DNDI_STATUS_ERROR_OPTION, "field, frame, film");
    EXPECT(dndi_settings_set(NULL, "rate", "frame"), DNDI_STATUS_ERROR_ARGUMENT, "settings is a null pointer");
    EXPECT(dndi_converter_new(NULL, &converter), DNDI_STATUS_ERROR_ARGUMENT, "settings is a null pointer");

    if (dndi_settings_set(settings, "threads", "2") || dndi_settings_set(settings, "deinterlace", "on") ||
        dndi_settings_set(settings, "field-order", "progressive") || dndi_converter_new(settings, &converter))
        return 1;
    EXPECT(dndi_converter_push(converter, NULL, 3, 0, 0), DNDI_STATUS_ERROR_ARGUMENT, "planes is a null pointer");
    EXPECT(dndi_converter_push(converter, planes, 2, 0, 0), DNDI_STATUS_ERROR_INPUT, "3 are needed");
    planes[1].stride = 62;
    EXPECT(dndi_converter_push(converter, planes, 3, 0, 0), DNDI_STATUS_ERROR_INPUT, "does not hold rows of 64 bytes");
    planes[1].stride = 65;
    EXPECT(dndi_converter_push(converter, planes, 3, 0, 0), DNDI_STATUS_ERROR_INPUT, "even");
    planes[1].stride = SIZE_MAX / 2 - 1;
    EXPECT(dndi_converter_push(converter, planes, 3, 0, 0), DNDI_STATUS_ERROR_INPUT, "address space");
    planes[1].stride = 64;
    planes[2].data = NULL;
    EXPECT(dndi_converter_push(converter, planes, 3, 0, 0), DNDI_STATUS_ERROR_ARGUMENT, "plane 2 is a null pointer");
    planes[2].data = samples;
    /* The options contradict each other, which only the first pull can find. */
    if (dndi_converter_push(converter, planes, 3, 0, 0) || dndi_converter_finish(converter))
        return 1;
    EXPECT(dndi_converter_push(converter, planes, 3, 0, 0), DNDI_STATUS_ERROR_ENDED, "the clip has ended");
    EXPECT(dndi_converter_pull(converter, &frame), DNDI_STATUS_ERROR_INPUT, "only an interlaced scan");
    EXPECT(dndi_converter_plan(converter, &plan), DNDI_STATUS_ERROR_INPUT, "only an interlaced scan");
    dndi_converter_free(converter);

    /* A valid conversion: planes that are larger than needed, user data, and a frame that outlives
     * its converter. */
    if (dndi_settings_set(settings, "deinterlace", "auto") || dndi_converter_new(settings, &converter))
        return 1;
    for (uint64_t i = 0; i < 3; i++)
        if (dndi_converter_push(converter, planes, 3, 0, 100 + i))
            return 1;
    dndi_converter_finish(converter);
    for (uint64_t i = 0; i < 3; i++) {
        if (dndi_converter_pull(converter, &frame) || dndi_frame_info(frame, &info))
            return 1;
        if (info.user_data != 100 + i || info.time != 4 * i || info.depth != 10 || info.planes[2].stride != 64)
            return 1;
        if (i < 2)
            dndi_converter_recycle(converter, frame);
    }
    DndiFrame *none;
    if (dndi_converter_pull(converter, &none) != DNDI_STATUS_END || none)
        return 1;
    EXPECT(dndi_frame_info(frame, NULL), DNDI_STATUS_ERROR_ARGUMENT, "info is a null pointer");
    dndi_converter_free(converter);
    if (((const uint16_t *)info.planes[0].data)[64 * 48 - 1] > 1023)
        return 1;
    dndi_frame_free(frame);

    if (dndi_inspector_new(settings, &inspector) || dndi_inspector_pull(inspector, &finding) != DNDI_STATUS_AGAIN)
        return 1;
    EXPECT(dndi_inspector_push(inspector, NULL, 0), DNDI_STATUS_ERROR_ARGUMENT, "luma is a null pointer");
    if (dndi_inspector_push(inspector, planes, DNDI_FRAME_PROGRESSIVE) || dndi_inspector_finish(inspector) ||
        dndi_inspector_pull(inspector, &finding) || dndi_inspector_pull(inspector, &finding) != DNDI_STATUS_END ||
        dndi_inspector_measured(inspector, &finding) || finding.frames != 1)
        return 1;
    dndi_inspector_free(inspector);
    dndi_settings_free(settings);
    dndi_settings_free(NULL);
    dndi_converter_free(NULL);
    dndi_frame_free(NULL);
    dndi_inspector_free(NULL);
    return strlen(dndi_version()) > 4 ? 0 : 1;
}
