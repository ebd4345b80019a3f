/* What is the same for all mechanisms; the tables above and `solve` and `read` are those of one. */

static double usable(const double *x, int k) { return x ? x[k] : 0.0; }

static void give(gk_model *m, int k, double value, double rate, double acceleration)
{
    double *given = m->numbers + VALUES + 3 * k;
    int is_number = fabs(value) <= LARGEST && fabs(rate) <= LARGEST && fabs(acceleration) <= LARGEST;
    given[0] = is_number && fabs(value) < limits[k] ? value : NAN;
    given[1] = rate;
    given[2] = acceleration;
}

/* A vector of the state, or a derivative of it; the second and third number of a direction in the plane follow. */
static void vector(const gk_model *m, int order, int row, double x[3])
{
    static const int first[3] = {Q, V, A};
    const double *rows = m->numbers + first[order] + LANES * row;
    x[2] = 0.0;
    for (int i = 0; i < DIMENSION; i++) x[i] = rows[LANES * i];
}

static void directions(const gk_model *m, int order, int body, double e[3][3])
{
    const int *rows = poses[body].vectors;
    vector(m, order, rows[0], e[0]);
    if (DIMENSION == 2) {
        e[1][0] = -e[0][1], e[1][1] = e[0][0], e[1][2] = 0.0;
        e[2][0] = e[2][1] = 0.0, e[2][2] = order == 0;
        return;
    }
    vector(m, order, rows[1], e[1]);
    vector(m, order, rows[2], e[2]);
}

static void place(const gk_model *m, int order, int body, const double shift[3], double p[3])
{
    double e[3][3];
    directions(m, order, body, e);
    vector(m, order, poses[body].point, p);
    for (int k = 0; k < DIMENSION; k++)
        for (int i = 0; i < 3; i++) p[i] += shift[k] * e[k][i];
}

static void rotation(const gk_model *m, int order, int body, double R[9])
{
    double e[3][3];
    directions(m, order, body, e);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++) sum += e[k][i] * poses[body].directions[j][k];
            R[3 * i + j] = sum;
        }
}

void gk_init(gk_model *m)
{
    memset(m, 0, sizeof *m);
    for (int k = 0; k < (int)(sizeof begin / sizeof *begin); k++) m->numbers[begin[k].at] = begin[k].value;
    for (int k = 0; k < GK_COORDINATES; k++) m->joints[k] = coordinates[k].reference;
}

int gk_evaluate(gk_model *m, const double *values, const double *rates, const double *accelerations)
{
    for (int k = 0; k < GK_DRIVERS; k++) give(m, k, values[k], usable(rates, k), usable(accelerations, k));
    return solve(m, 1);
}

int gk_joints(gk_model *m, const double *driven, double *all)
{
    int status = gk_evaluate(m, driven, NULL, NULL);
    read(m);
    for (int k = 0; k < GK_COORDINATES; k++) {
        double x = m->numbers[READ + LANES * k], near = m->joints[k], period = coordinates[k].period;
        if (coordinates[k].driver >= 0) near = driven[coordinates[k].driver];
        if (period > 0.0) x += period * nearbyint((near - x) / period);
        if (isfinite(x)) m->joints[k] = x;
        all[k] = x;
    }
    return status;
}

void gk_joint_rates(gk_model *m, double *rates)
{
    read(m);
    for (int k = 0; k < GK_COORDINATES; k++) rates[k] = m->numbers[READ + LANES * (GK_COORDINATES + k)];
}

int gk_group_status(const gk_model *m, int group) { return m->codes[group]; }

double gk_group_conditioning(const gk_model *m, int group) { return m->numbers[CONDITIONING + LANES * group]; }

void gk_pose(const gk_model *m, int body, double p[3], double R[9])
{
    place(m, 0, body, poses[body].origin, p);
    rotation(m, 0, body, R);
}

void gk_point(const gk_model *m, int point, int order, double p[3])
{
    place(m, order, points[point].body, points[point].shift, p);
}

static void spin(const gk_model *m, int order, int body, double w[3])
{
    double e[3][3], f[3][3];
    directions(m, 0, body, e);
    directions(m, order, body, f);
    w[0] = w[1] = w[2] = 0.0;
    if (DIMENSION == 2) {
        w[2] = e[0][0] * f[0][1] - e[0][1] * f[0][0];
        return;
    }
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, l = (i + 2) % 3;
            w[i] += 0.5 * (e[k][j] * f[k][l] - e[k][l] * f[k][j]);
        }
}

void gk_twist(const gk_model *m, int body, double v[3], double w[3])
{
    place(m, 1, body, poses[body].origin, v);
    spin(m, 1, body, w);
}

void gk_acceleration(const gk_model *m, int body, double a[3], double alpha[3])
{
    place(m, 2, body, poses[body].origin, a);
    spin(m, 2, body, alpha);
}

/* Let one driver move with the rate 1 in a copy of a model. */
static int unit_rate(const gk_model *m, gk_model *work, int driver)
{
    *work = *m;
    for (int k = 0; k < GK_DRIVERS; k++) give(work, k, m->numbers[VALUES + 3 * k], k == driver, 0.0);
    return solve(work, 0);
}

int gk_jacobian(const gk_model *m, gk_model *work, double *J)
{
    int status = 0;
    for (int k = 0; k < GK_DRIVERS; k++) {
        double rates[GK_COORDINATES + 1];
        int failed = unit_rate(m, work, k);
        status = status ? status : failed;
        gk_joint_rates(work, rates);
        for (int i = 0; i < GK_COORDINATES; i++) J[GK_DRIVERS * i + k] = rates[i];
    }
    return status;
}

int gk_body_jacobian(const gk_model *m, gk_model *work, int body, double *J)
{
    int status = 0;
    for (int k = 0; k < GK_DRIVERS; k++) {
        double twist[6];
        int failed = unit_rate(m, work, k);
        status = status ? status : failed;
        gk_twist(work, body, twist, twist + 3);
        for (int i = 0; i < 6; i++) J[GK_DRIVERS * i + k] = twist[i];
    }
    return status;
}

const char *gk_driver_name(int k) { return driver_names[k]; }
const char *gk_coordinate_name(int k) { return coordinate_names[k]; }
const char *gk_body_name(int k) { return body_names[k]; }
const char *gk_point_name(int k) { return point_names[k]; }
