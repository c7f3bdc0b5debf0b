/* Converts y4m from stdin to stdout with libdndi, as `dndi - -` does:
 *
 *     y4m [NAME=VALUE ...] < in.y4m > out.y4m
 *     y4m --inspect < in.y4m
 *
 * NAME=VALUE are options of the command line without dashes, such as deinterlacer=best. Frames with
 * parameters of their own (`Im` streams) are not read. Memory of samples is little-endian, as in
 * y4m, on the machines that this example supports. */
#include "dndi.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 4096

static void fail(const char *what) {
    fprintf(stderr, "y4m: %s: %s\n", what, dndi_last_error());
    exit(1);
}

static void stop(const char *why) {
    fprintf(stderr, "y4m: %s\n", why);
    exit(1);
}

/* The header of the stream: known tags, and the line for the output. */
struct header {
    char tokens[64][256];
    int count;
    unsigned width, height, depth;
    unsigned long rate, scale;
    char sampling[8], scan;
    const char *location;
};

static void read_header(struct header *header) {
    static char line[LINE];
    if (!fgets(line, sizeof line, stdin) || strncmp(line, "YUV4MPEG2 ", 10) || !strchr(line, '\n'))
        stop("stdin is not y4m");
    memset(header, 0, sizeof *header);
    strcpy(header->sampling, "420");
    header->depth = 8;
    header->scan = '?';
    header->location = "center";
    line[strcspn(line, "\n")] = 0;
    for (char *token = strtok(line + 10, " "); token; token = strtok(NULL, " ")) {
        if (header->count == 64 || strlen(token) > 255)
            stop("the header is too long");
        strcpy(header->tokens[header->count++], token);
        if (*token == 'W')
            header->width = (unsigned)strtoul(token + 1, NULL, 10);
        else if (*token == 'H')
            header->height = (unsigned)strtoul(token + 1, NULL, 10);
        else if (*token == 'F')
            sscanf(token, "F%lu:%lu", &header->rate, &header->scale);
        else if (*token == 'I')
            header->scan = token[1];
        else if (*token == 'C') {
            const char *name = token + 1, *deep = strchr(name, 'p');
            if (!strncmp(name, "mono", 4)) {
                strcpy(header->sampling, "mono");
                header->depth = name[4] ? (unsigned)atoi(name + 4) : 8;
            } else {
                memcpy(header->sampling, name, 3);
                if (deep && deep[1] >= '0' && deep[1] <= '9')
                    header->depth = (unsigned)atoi(deep + 1);
            }
            if (!strcmp(name, "420mpeg2"))
                header->location = "left";
            if (!strcmp(name, "420paldv"))
                header->location = "topleft";
        }
    }
    if (strcmp(header->sampling, "420") || header->depth > 8)
        header->location = "left";
}

static unsigned long divisor(unsigned long a, unsigned long b) {
    return b ? divisor(b, a % b) : a;
}

/* The header of the output. Tags that do not change are written as they were read. */
static void write_header(const struct header *header, const DndiPlan *plan) {
    static const char *names[] = {"mono", "420", "411", "422", "444"};
    int has_scan = 0;
    printf("YUV4MPEG2");
    for (int i = 0; i < header->count; i++) {
        const char *token = header->tokens[i];
        if (*token == 'W')
            printf(" W%zu", plan->width);
        else if (*token == 'H')
            printf(" H%zu", plan->height);
        else if (*token == 'F' && header->rate && plan->rate_out != plan->rate_in) {
            unsigned long rate = header->rate * plan->rate_out, scale = header->scale * plan->rate_in;
            /* A doubled rate is not reduced, as in the command. */
            unsigned long common = plan->rate_in == 1 ? 1 : divisor(rate, scale);
            printf(" F%lu:%lu", rate / common, scale / common);
        } else if (*token == 'I' && plan->progressive) {
            printf(" Ip");
            has_scan = 1;
        } else if (*token == 'C' && strcmp(names[plan->sampling], header->sampling))
            printf(" C%s%s", names[plan->sampling], plan->sampling == DNDI_SAMPLING_C420 ? "mpeg2" : "");
        else
            printf(" %s", token);
    }
    printf(plan->progressive && !has_scan ? " Ip\n" : "\n");
}

static void set(DndiSettings *settings, const char *name, const char *value) {
    if (dndi_settings_set(settings, name, value) < 0)
        fail("option");
}

/* Reads the next frame into the planes; 0 at the end. */
static int read_frame(unsigned char *buffer, size_t size) {
    static char line[LINE];
    if (!fgets(line, sizeof line, stdin))
        return 0;
    if (strcmp(line, "FRAME\n"))
        stop("a frame has parameters, or the input is damaged");
    if (fread(buffer, 1, size, stdin) != size)
        stop("the input ends in a frame");
    return 1;
}

/* Writes all outputs that are ready. */
static void write_outputs(DndiConverter *converter, const struct header *header, int *started) {
    DndiFrame *frame;
    DndiStatus status;
    while ((status = dndi_converter_pull(converter, &frame)) == DNDI_STATUS_OK) {
        DndiFrameInfo info;
        DndiPlan plan;
        if (!*started) {
            if (dndi_converter_plan(converter, &plan) != DNDI_STATUS_OK)
                fail("plan");
            write_header(header, &plan);
            *started = 1;
        }
        if (dndi_frame_info(frame, &info) < 0)
            fail("frame");
        printf("FRAME\n");
        for (unsigned i = 0; i < info.plane_count; i++) {
            const DndiOutputPlane *plane = &info.planes[i];
            size_t row = plane->width * (info.depth > 8 ? 2 : 1);
            for (size_t y = 0; y < plane->height; y++)
                fwrite((const unsigned char *)plane->data + y * plane->stride, 1, row, stdout);
        }
        dndi_converter_recycle(converter, frame);
    }
    if (status < 0)
        fail("pull");
}

static void print_finding(DndiInspector *inspector) {
    static const char *contents[] = {"unknown", "progressive", "interlaced", "film"};
    static const char *scans[] = {"progressive", "tff", "bff"};
    static const char *pulldowns[] = {"none", "2:2", "3:2", "2:3:3:2", "2:2:2:4"};
    DndiFinding found;
    while (dndi_inspector_pull(inspector, &found) == DNDI_STATUS_OK) {
    }
    if (dndi_inspector_measured(inspector, &found) != DNDI_STATUS_OK)
        stop("the input has no frames");
    printf("content %s, scan %s, pulldown %s, confidence %u %%, %" PRIu64 " frames\n", contents[found.content],
           scans[found.scan], pulldowns[found.pulldown], found.confidence, found.frames);
}

int main(int argc, char **argv) {
    struct header header;
    DndiSettings *settings;
    int inspect = argc == 2 && !strcmp(argv[1], "--inspect");
    read_header(&header);
    if (dndi_settings_new(header.width, header.height, header.sampling, header.depth, &settings) < 0)
        fail("header");

    const char *scan = header.scan == 'p'   ? "progressive"
                       : header.scan == 't' ? "tff"
                       : header.scan == 'b' ? "bff"
                       : header.scan == 'm' ? "mixed"
                                            : "unknown";
    set(settings, "interlacing", scan);
    set(settings, "location", header.location);
    if (header.rate && header.scale) {
        char rate[64];
        snprintf(rate, sizeof rate, "%lu:%lu", header.rate, header.scale);
        set(settings, "frame-rate", rate);
    }
    for (int i = 1; i < argc && !inspect; i++) {
        char *value = strchr(argv[i], '=');
        if (!value)
            stop("write options as NAME=VALUE");
        *value = 0;
        set(settings, argv[i], value + 1);
        *value = '=';
    }

    /* The planes of a frame, one after the other, as in y4m. */
    size_t bytes = header.depth > 8 ? 2 : 1, offset = 0;
    size_t across = strcmp(header.sampling, "444") ? (strcmp(header.sampling, "411") ? 2 : 4) : 1;
    size_t down = strcmp(header.sampling, "420") ? 1 : 2;
    size_t count = strcmp(header.sampling, "mono") ? 3 : 1;
    DndiPlane planes[3];
    size_t offsets[3];
    for (size_t i = 0; i < count; i++) {
        size_t width = i ? (header.width + across - 1) / across : header.width;
        size_t height = i ? (header.height + down - 1) / down : header.height;
        offsets[i] = offset;
        planes[i].stride = width * bytes;
        offset += planes[i].stride * height;
    }
    unsigned char *buffer = malloc(offset);
    if (!buffer)
        stop("there is no memory for a frame");
    for (size_t i = 0; i < count; i++)
        planes[i].data = buffer + offsets[i];

    if (inspect) {
        DndiInspector *inspector;
        if (dndi_inspector_new(settings, &inspector) < 0)
            fail("inspector");
        while (read_frame(buffer, offset))
            if (dndi_inspector_push(inspector, &planes[0], 0) < 0)
                fail("push");
        dndi_inspector_finish(inspector);
        print_finding(inspector);
        dndi_inspector_free(inspector);
    } else {
        DndiConverter *converter;
        int started = 0;
        if (dndi_converter_new(settings, &converter) < 0)
            fail("options");
        while (read_frame(buffer, offset)) {
            if (dndi_converter_push(converter, planes, count, 0, 0) < 0)
                fail("push");
            write_outputs(converter, &header, &started);
        }
        dndi_converter_finish(converter);
        write_outputs(converter, &header, &started);
        dndi_converter_free(converter);
    }
    dndi_settings_free(settings);
    free(buffer);
    return fflush(stdout) ? 1 : 0;
}
